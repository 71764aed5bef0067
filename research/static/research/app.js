// Comfort only: every page works without this file.

// Choosing another quote loads the page again; the list stays where the reader left it.
const PLACE = "weighhouse-place";
const list = document.getElementById("case");
const wide = window.matchMedia("(min-width: 960px)");

if (list && wide.matches) {
  const kept = sessionStorage.getItem(PLACE);
  const current = list.querySelector(".quote-link[aria-current]");
  sessionStorage.removeItem(PLACE);
  const settle = () => {
    if (kept !== null) window.scrollTo(0, Number(kept));
    else current?.scrollIntoView({ block: "center" });
  };
  if (kept !== null || current) window.addEventListener("load", settle, { once: true });
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href*='citation=']");
    if (link && link.pathname === window.location.pathname)
      sessionStorage.setItem(PLACE, String(window.scrollY));
  });
}

// The border between the panes is moved with the arrow keys or by dragging.
const WIDTH = "weighhouse-width";
const [LEAST, USUAL, MOST] = [25, 38, 60];

function addSplitter(panes) {
  const splitter = document.createElement("div");
  const set = (wanted) => {
    const width = Math.min(MOST, Math.max(LEAST, wanted || USUAL));
    panes.style.setProperty("--left", `${width}%`);
    splitter.setAttribute("aria-valuenow", String(Math.round(width)));
    localStorage.setItem(WIDTH, String(width));
  };
  const facts = { role: "separator", tabindex: 0, "aria-orientation": "vertical" };
  const range = { "aria-valuemin": LEAST, "aria-valuemax": MOST };
  const name = { "aria-label": "Width of the case beside the page, in percent" };
  Object.entries({ ...facts, ...range, ...name }).forEach((pair) => splitter.setAttribute(...pair));
  splitter.className = "splitter";
  splitter.addEventListener("keydown", (event) => {
    const now = Number(splitter.getAttribute("aria-valuenow"));
    const moves = { ArrowLeft: now - 2, ArrowRight: now + 2, Home: LEAST, End: MOST, Enter: USUAL };
    if (!(event.key in moves)) return;
    event.preventDefault();
    set(moves[event.key]);
  });
  splitter.addEventListener("pointerdown", (event) => splitter.setPointerCapture(event.pointerId));
  splitter.addEventListener("pointermove", (event) => {
    if (splitter.hasPointerCapture(event.pointerId)) set((100 * event.clientX) / panes.clientWidth);
  });
  panes.append(splitter);
  set(Number(localStorage.getItem(WIDTH)));
}

if (list) addSplitter(list.parentElement);

// A run under way is read again every few seconds, in place.
async function refresh(shown) {
  const reply = await fetch(window.location.href, { headers: { Accept: "text/html" } });
  if (!reply.ok || reply.redirected) return;
  const page = new DOMParser().parseFromString(await reply.text(), "text/html");
  const fresh = page.getElementById("progress");
  if (!fresh) return;
  shown.replaceWith(fresh);
  follow(fresh);
}

function follow(shown) {
  const seconds = Number(shown?.dataset.refreshSeconds);
  if (seconds) setTimeout(() => refresh(shown).catch(() => follow(shown)), 1000 * seconds);
}

follow(document.getElementById("progress"));
