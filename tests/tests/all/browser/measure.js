// Measures a report from within: contrast, width, links, the keyboard, what was loaded. Tells the page around it.
(() => {
  const ran = !document.querySelector(".tools[hidden]");
  const loaded = performance.getEntriesByType("resource").map((entry) => entry.name);
  // Enter on a summary is a click for the page: each must open its details and close them again.
  const stuck = [...document.querySelectorAll("details")].filter((details) => {
    const before = details.open;
    const summary = details.querySelector("summary");
    summary.click();
    const turned = details.open !== before;
    summary.click();
    return !turned || details.open !== before;
  });
  for (const details of document.querySelectorAll("details")) details.open = true;
  // Tab goes through whatever takes the focus in the order of the page, as long as nothing asks for another one.
  // The bars of the strip are left out on purpose: the list below it has the same links with words.
  const stops = [...document.querySelectorAll("a[href], summary, button, [tabindex]")].filter((node) => !node.closest("[hidden], .strip"));
  const disordered = stops.filter((node) => node.tabIndex > 0);
  const unreachable = stops.filter((node) => {
    node.focus({ preventScroll: true });
    return node.tabIndex < 0 || document.activeElement !== node;
  });
  const channels = (text) => {
    const found = text.match(/^rgba?\(([^)]*)\)$/);
    return found ? found[1].split(/[\s,/]+/).map(Number) : null;
  };
  const light = (color) => {
    const [r, g, b] = color.slice(0, 3).map((part) => {
      const share = part / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (node) => {
    for (let at = node; at; at = at.parentElement) {
      const color = channels(getComputedStyle(at).backgroundColor);
      if (color && (color.length < 4 || color[3] === 1)) return color;
    }
    return null;
  };
  const faint = [];
  let texts = 0;
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const node = walk.currentNode.parentElement;
    if (!walk.currentNode.data.trim() || node.closest("script,style,title,.skip")) continue;
    const style = getComputedStyle(node);
    const color = channels(node.closest("svg") ? style.fill : style.color);
    const under = ground(node);
    texts += 1;
    if (!color || !under) { faint.push("unknown: " + style.color + " " + node.className); continue; }
    const [one, other] = [light(color), light(under)];
    const ratio = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
    if (ratio < 4.5) faint.push(ratio.toFixed(2) + " " + node.tagName + "." + node.className + ": " + walk.currentNode.data.trim().slice(0, 30));
  }
  const lost = [...document.querySelectorAll("a[href^='#']")].filter((link) => !document.getElementById(link.getAttribute("href").slice(1)));
  const root = document.documentElement;
  const wide = [...document.querySelectorAll("body *")].filter((node) => !node.closest(".scroll *, nav *, pre, .skip, svg *") && node.getBoundingClientRect().right > root.clientWidth + 1);
  const result = {
    texts, faint: [...new Set(faint)].slice(0, 10), lost: lost.length, links: document.links.length, loaded, ran,
    overflow: root.scrollWidth - root.clientWidth, width: root.clientWidth,
    wide: wide.slice(0, 5).map((node) => node.tagName + "." + node.className),
    stops: stops.length, stuck: stuck.length, disordered: disordered.length,
    unreachable: unreachable.slice(0, 5).map((node) => node.tagName + "." + node.className),
    dark: matchMedia("(prefers-color-scheme: dark)").matches,
  };
  parent.postMessage(JSON.stringify(result), "*");
})();
