# The command line and the HTTP service in an image: docs/howto/serve.md, "In a container".

FROM python:3.11-slim AS build
RUN python -m venv /opt/workbench
ENV PATH=/opt/workbench/bin:$PATH
WORKDIR /source
COPY . .
RUN pip wheel --no-cache-dir --no-deps --wheel-dir /wheels . \
 && pip install --no-cache-dir "$(ls /wheels/*.whl)[serve]"
# Compiled loops are kept beside the modules, where a disk that is read-only has them, too. They
# count as old when a module's time changes; an image keeps whole seconds of it.
WORKDIR /compiled
RUN find /opt/workbench/lib/python3.11/site-packages/workbench -name "*.py" -exec touch -d @0 {} + \
 && export WORKBENCH_CACHE=/compiled \
 && for kind in memm crf; do \
        workbench train nltk-docs --model $kind -o background.model \
     && workbench adapt background.model numba-docs --sigma2 1 -o adapted.model \
     && echo "numba and nltk" | workbench recase adapted.model || exit 1; \
    done

FROM python:3.11-slim
COPY --from=build /opt/workbench /opt/workbench
# No home that could be written: Numba would look for compiled loops there, and not in the image.
RUN useradd --uid 10001 --no-create-home --home-dir /nonexistent workbench
ENV PATH=/opt/workbench/bin:$PATH HOME=/nonexistent WORKBENCH_CACHE=/tmp/workbench
USER 10001
WORKDIR /models
EXPOSE 8700
HEALTHCHECK CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:8700/health')"]
ENTRYPOINT ["workbench"]
CMD ["serve", "/models/adapted.model", "--host", "0.0.0.0"]
