"""The workbench in the browser: ``streamlit run app.py``."""

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

if get_script_run_ctx(suppress_warning=True):  # a visitor's run
    from workbench.annexes import import_alone

    import_alone("workbench.views.page").draw()
else:  # Streamlit's server, which reads this file to know what to serve
    from workbench.views.first_paint import routes

    app = st.App(__file__, routes=routes())
