"""Make the picture of README: the scrubber at work, as a GIF.

    ./run python docs/make_picture.py

It needs what the tests need: Playwright and Chromium. The texts are the embedded ones.
"""

import shutil
import tempfile
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.browser.server import ROOT, serve

HERE = Path(__file__).parent
SIZE = {"width": 1180, "height": 740}
COLOURS, FRAME, LAST = 96, 110, 1600  # of a frame: colours, and milliseconds that it stays
MOVES = ["Home", *["ArrowRight"] * 24, *["ArrowLeft"] * 11]
SLIDER = ".scrub .sigma2 input"


def open_page(browser: Browser, address: str) -> Page:
    """Return the page once its curve is whole."""
    page = browser.new_page(viewport=SIZE)
    page.goto(address)
    page.locator(".card.adapted").wait_for(timeout=300_000)
    page.get_by_role("button", name="Just play").click()
    page.locator(".status:text-is('')").wait_for(state="attached", timeout=300_000)
    page.locator(".grid-map svg[aria-label^='175 of']").wait_for(timeout=300_000)
    return page


def record(page: Page) -> list[Image.Image]:
    """Return a picture for each place of the slider, of the page down to its words."""
    clip = page.locator(".scrub").bounding_box()
    clip = {"x": clip["x"] - 14, "y": 0, "width": clip["width"] + 28, "height": SIZE["height"]}
    frames = []
    page.locator(SLIDER).focus()
    for key in MOVES:
        page.keyboard.press(key)
        page.wait_for_timeout(60)
        frames.append(Image.open(BytesIO(page.screenshot(clip=clip))).convert("RGB"))
    return frames


def save(frames: list[Image.Image], path: Path) -> None:
    """Write frames of few colours, the last of which stays for a while."""
    palette = frames[-1].quantize(COLOURS, Image.Quantize.MAXCOVERAGE)
    few = [frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in frames]
    times = [FRAME] * (len(few) - 1) + [LAST]
    few[0].save(path, save_all=True, append_images=few[1:], duration=times, loop=0, optimize=True)


def main() -> None:
    """Make the picture."""
    names = "chromium", "chromium-headless-shell", "google-chrome"
    chromium = next(filter(None, map(shutil.which, names)), None)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        log = Path(folder) / "server.log"
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        with serve(ROOT / "app.py", {"WORKBENCH_DATA": ""}, log) as address:
            save(record(open_page(browser, address)), HERE / "scrubber.gif")
        browser.close()


if __name__ == "__main__":
    main()
