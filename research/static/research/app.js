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
    if (link && link.getAttribute("href").startsWith("?"))
      sessionStorage.setItem(PLACE, String(window.scrollY));
  });
}

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
