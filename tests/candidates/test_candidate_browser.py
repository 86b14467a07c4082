"""The report of candidate sets in a real browser: sentences with what each model chooses."""

from candidate_genres import QUERY, write_genres
from chromium import opened

from workbench.candidates.session import open_candidate_session
from workbench.scrub.report import report_html
from workbench.settings import Settings


def test_choices_are_drawn_and_move_with_sigma2(browser, data, tmp_path):
    write_genres(data)
    session = open_candidate_session(QUERY["background"], QUERY["domain"])
    place = tmp_path / "report.html"
    settings = Settings(background=QUERY["background"], domain=QUERY["domain"])
    place.write_text(report_html(session, settings, n_explained=1), "utf-8")
    with opened(browser, viewport={"width": 1280, "height": 800}) as page:
        page.goto(place.as_uri())
        page.wait_for_selector(".card .error")
        snapshot = session.at(settings.sigma2)
        wrong = ~session.corpora["dev"].is_best[snapshot.tuned.tags["dev"]]
        assert page.locator(".choice").count() >= wrong.sum()
        decision = page.locator(".choice .w.fixed").first
        decision.hover()
        lines = page.inner_text(".tip").splitlines()
        place_of = int(decision.get_attribute("data-position"))
        row = snapshot.diff.set_index("position").loc[place_of]
        name = session.quality_name
        assert lines[1].startswith(f"background: candidate {row['before']}, {name} ")
        assert lines[2].startswith(f"adapted: candidate {row['after']}, {name} ")
        page.locator("input[aria-label^='Prior']").press("Home")
        page.wait_for_url("**sigma2=0.01")
        assert ": candidate " in page.inner_text(".flipped")
