"use strict";
(() => {
  // A link may lead into something that is folded: unfold it first.
  const reveal = () => {
    const id = decodeURIComponent(location.hash.slice(1));
    const target = id && document.getElementById(id);
    if (!target) return;
    for (let node = target; node; node = node.parentElement) {
      if (node.tagName === "DETAILS") node.open = true;
    }
    const row = target.closest("tr");
    if (row) row.hidden = false;
    target.scrollIntoView();
  };
  addEventListener("hashchange", reveal);
  reveal();

  // What needs this script is shown only where it runs.
  for (const tools of document.querySelectorAll(".tools")) tools.hidden = false;
  const unfold = document.getElementById("unfold");
  if (unfold) {
    unfold.addEventListener("click", () => {
      const effects = [...document.querySelectorAll("details.explained")];
      const open = effects.some((effect) => !effect.open);
      for (const effect of effects) effect.open = open;
      unfold.textContent = open ? "Collapse all explanations" : "Expand all explanations";
    });
  }
  for (const box of document.querySelectorAll("input[data-kind]")) {
    box.addEventListener("change", () => {
      for (const row of document.querySelectorAll(`tr[data-kind="${box.dataset.kind}"]`)) row.hidden = !box.checked;
    });
  }
})();
