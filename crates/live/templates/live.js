"use strict";
// Makes a campaign's page live: what is new appears, and the moment can be moved. Without it the page is complete, and as old as it is.
(() => {
  const $ = (id) => document.getElementById(id);
  const main = $("main");
  const base = main && main.dataset.address;
  if (!base) return;

  // What the page does not show has a page of its own.
  const lead = (within) => {
    if ("seat" in main.dataset) return;
    for (const link of within.querySelectorAll("a[href^='#n']")) {
      const target = link.getAttribute("href").slice(1);
      if (!document.getElementById(target)) link.href = `${base}/why/${target.slice(1)}`;
    }
  };
  for (const tools of document.querySelectorAll(".tools")) tools.hidden = false;
  document.addEventListener("change", (event) => {
    const kind = event.target.dataset && event.target.dataset.kind;
    if (!kind) return;
    for (const row of document.querySelectorAll(`tr[data-kind="${kind}"]`)) row.hidden = !event.target.checked;
  });
  // Whoever was brought to the end stays there, however late the page is laid out, until they go elsewhere themselves.
  let stays = false;
  for (const moved of ["wheel", "touchmove"]) addEventListener(moved, () => { stays = false; }, { passive: true });
  addEventListener("keydown", (event) => { if (!event.target.closest("input, select, textarea")) stays = false; });
  // Whoever moves the bar at the side, or unfolds something in the story, looks there. What is clicked to answer leads nowhere else.
  addEventListener("pointerdown", (event) => { if (!event.target.closest("#act")) stays = false; });

  // A link may lead into something that is folded: unfold it first.
  const reveal = () => {
    let name = location.hash.slice(1);
    try { name = decodeURIComponent(name); } catch { return; }
    if (!name) return;
    const target = $(name);
    // What has no line in the story is at the end of what is told up to it.
    if (!target) return void (/^n\d+$/.test(name) && toEnd());
    stays = false;
    for (let node = target; node; node = node.parentElement) if (node.tagName === "DETAILS") node.open = true;
    target.scrollIntoView();
  };
  addEventListener("hashchange", reveal);

  const trouble = (text) => {
    const line = $("trouble");
    line.textContent = text;
    line.hidden = !text;
  };

  // --- What is new ---
  const atEnd = () => {
    const told = $("told").getBoundingClientRect();
    return told.bottom < innerHeight + 240;
  };
  const below = document.createElement("button");
  below.id = "below";
  below.type = "button";
  below.hidden = true;
  below.textContent = "New below ↓";
  document.body.append(below);
  // What comes onto the screen is laid out only then, and moves the end: some frames later it is looked for again.
  const toEnd = (frames = 5) => {
    stays = true;
    const last = [...$("told").querySelectorAll("#story .scene > :last-child, #story .turn > :last-child")].pop();
    // At once: a page that is still moving is not at its end, and would not follow what comes.
    if (last) last.scrollIntoView({ block: "end", behavior: "instant" });
    below.hidden = true;
    if (frames > 0) requestAnimationFrame(() => toEnd(frames - 1));
  };
  below.addEventListener("click", () => toEnd());
  addEventListener("scroll", () => { if (atEnd()) below.hidden = true; }, { passive: true });
  new ResizeObserver(() => { if (stays) toEnd(0); }).observe($("told"));

  const kept = (side) => {
    const open = [...side.querySelectorAll("details")].map((details) => details.open);
    return () => side.querySelectorAll("details").forEach((details, place) => { if (open[place]) details.open = true; });
  };
  const replaceSide = (html) => {
    const side = $("side");
    const again = kept(side);
    const figures = $("facts");
    const top = side.scrollTop;
    side.innerHTML = html;
    if (figures) side.append(figures);
    for (const tools of side.querySelectorAll(".tools")) tools.hidden = false;
    again();
    side.scrollTop = top;
  };
  // Whoever writes while something new comes goes on writing: what is asked as before is not touched, and what changes keeps what was
  // filled in, what was unfolded and the cursor. Words that nobody has sent yet outlive a pause, and a page that is loaded again.
  const draft = `words ${base}`;
  const sent = `sent ${base}`;
  // Words that were sent are done with when something else is asked: until then the answer may have come to nothing.
  const callOf = (form) => form.querySelector("[name=call]")?.value;
  const drafted = () => {
    const call = callOf($("act"));
    if (call && sessionStorage.getItem(sent) && call !== sessionStorage.getItem(sent)) {
      sessionStorage.removeItem(draft);
      sessionStorage.removeItem(sent);
    }
    if ($("words") && !$("words").value) $("words").value = sessionStorage.getItem(draft) || "";
  };
  const controls = () => [...$("act").querySelectorAll("summary, input:not([type=hidden]), select, textarea, button")];
  // A field, a button or something folded, told apart from all others of its form.
  const known = (control) => {
    const within = control.closest("details");
    const said = control.matches("summary, button") ? control.textContent : "";
    return [control.tagName, control.name, said, within ? within.firstElementChild.textContent : ""].join("|");
  };
  let wanted = $("act") && $("act").innerHTML;
  const replaceAct = (html) => {
    const holder = document.createElement("template");
    holder.innerHTML = html;
    if (holder.innerHTML === wanted) return;
    wanted = holder.innerHTML;
    // What was sent as the answer to the last question does not stand in the form of the next.
    const done = sessionStorage.getItem(sent);
    const isDone = done && callOf($("act")) === done && callOf(holder.content) !== done;
    const held = new Map(controls().map((control) => [known(control), control]));
    const at = document.activeElement;
    $("act").replaceChildren(holder.content);
    // Whoever hears the page is told whose turn it is; the line that says it is always there.
    const told = $("act").querySelector("h2, p");
    if ($("turn") && told) $("turn").textContent = told.textContent;
    for (const control of controls()) {
      const before = held.get(known(control));
      if (!before || (isDone && control.id === "words")) continue;
      if (control.tagName === "SUMMARY") control.parentElement.open = before.parentElement.open;
      else if (control.tagName !== "BUTTON") control.value = before.value;
      if (before !== at) continue;
      control.focus({ preventScroll: true });
      if (control.tagName === "TEXTAREA") control.setSelectionRange(before.selectionStart, before.selectionEnd, before.selectionDirection);
    }
    drafted();
  };
  const append = (html) => {
    const story = $("story");
    const holder = document.createElement("template");
    holder.innerHTML = html;
    const fresh = [];
    for (const empty of story.querySelectorAll(":scope > p.quiet:not(:has(a))")) empty.remove();
    for (const scene of [...holder.content.querySelectorAll(".scene")]) {
      const last = story.querySelector(":scope > .scene:last-of-type");
      const title = scene.querySelector(":scope > h3");
      if (title || !last) {
        if (last && !last.querySelector(".turn")) last.remove();
        story.append(scene);
        fresh.push(scene);
        continue;
      }
      for (const turn of [...scene.querySelectorAll(":scope > .turn")]) {
        const before = last.querySelector(":scope > .turn:last-of-type");
        if (before && before.dataset.turn === turn.dataset.turn) {
          for (const item of [...turn.children]) {
            if (item.className === "turn-number") continue;
            before.append(item);
            fresh.push(item);
          }
        } else {
          last.append(turn);
          fresh.push(turn);
        }
      }
    }
    for (const item of fresh) item.classList.add("new");
  };

  // What stays at the bottom of a seat's page covers nothing that is scrolled to.
  if ("seat" in main.dataset) {
    const act = $("act");
    let tall = 0;
    new ResizeObserver(() => {
      const follows = stays || atEnd();
      const grows = act.offsetHeight > tall;
      tall = act.offsetHeight;
      document.documentElement.style.scrollPaddingBottom = `${tall + 16}px`;
      act.style.setProperty("--act", `${tall + 16}px`);
      below.style.bottom = `${tall + 12}px`;
      if (follows && grows) toEnd();
    }).observe(act);
  }

  // What can be done, and the figures, as a page has them that is loaded now. Whoever fills in one of the forms is left alone.
  const exchange = (page) => {
    const fresh = page.querySelector(".actions");
    const here = document.querySelector(".actions");
    if (here && fresh && !here.querySelector("details[open]")) here.replaceWith(fresh);
    for (const id of ["facts", "newest"]) if ($(id) && page.getElementById(id)) $(id).replaceWith(page.getElementById(id));
  };
  // A server that puts a campaign away takes a moment: it is asked once more.
  const renew = (again = 1) => {
    if ("past" in main.dataset) return;
    fetch(base, { credentials: "same-origin" }).then(async (answer) => {
      if (answer.ok) exchange(new DOMParser().parseFromString(await answer.text(), "text/html"));
      if (again > 0) setTimeout(() => renew(again - 1), 1500);
    }, () => {});
  };

  let stream = null;
  // Does the server no longer know this browser, because it was started anew?
  let anew = false;
  let next = main.dataset.next;
  const listen = () => {
    if (stream || document.hidden || "past" in main.dataset || "over" in main.dataset) return;
    stream = new EventSource(`${base}/events?from=${next}`);
    stream.addEventListener("open", () => {
      trouble("");
      // The forms on this page are of the server that is gone.
      if (anew) location.reload();
    });
    stream.addEventListener("more", (event) => {
      const more = JSON.parse(event.data);
      const follows = stays || atEnd();
      next = more.next;
      main.dataset.next = next;
      append(more.story);
      replaceSide(more.side);
      if (more.name && $("name").textContent !== more.name) {
        document.title = document.title.replace($("name").textContent, more.name);
        $("name").textContent = more.name;
      }
      const standing = () => $("now").firstElementChild?.className;
      const stood = more.now && standing();
      if (more.now) $("now").innerHTML = more.now;
      if (more.now && standing() !== stood) renew();
      if (more.act) replaceAct(more.act);
      lead(main);
      if ("seat" in main.dataset) {
        if (follows) toEnd(); else below.hidden = !more.story.trim();
        return;
      }
      time.dataset.before = more.before;
      time.dataset.after = next - 1;
      range.max = next - 1;
      // A thumb that somebody holds stays where it is held.
      if (!held) range.value = shown = String(next - 1);
      said(range.value, next - 1);
      const fork = document.querySelector("#fork [name=at]");
      if (fork) {
        fork.value = next - 1;
        $("fork-at").textContent = `#${next - 1}`;
      }
      drafting("", "");
      if (follows) toEnd(); else below.hidden = false;
    });
    stream.addEventListener("draft", (event) => {
      const draft = JSON.parse(event.data);
      const follows = stays || atEnd();
      drafting(draft.speaker, draft.words);
      if (follows && draft.words) $("drafting").scrollIntoView({ block: "end" });
    });
    stream.addEventListener("gone", (event) => {
      const gone = JSON.parse(event.data);
      main.dataset.over = "";
      quiet();
      trouble(`${gone.message}. ${gone.help}`);
    });
    stream.addEventListener("over", () => {
      main.dataset.over = "";
      quiet();
      if ($("newest")) renew();
    });
    stream.addEventListener("error", () => {
      trouble("The connection to the server is lost. It is tried again; `twicetold serve` starts the server.");
      // A browser gives up when it gets an answer that is no stream.
      if (stream && stream.readyState === EventSource.CLOSED) {
        quiet();
        setTimeout(listen, 3000);
        fetch(base, { method: "HEAD", credentials: "same-origin" }).then((answer) => {
          if (answer.status !== 401 && answer.status !== 403) return;
          anew = true;
          const link = "seat" in main.dataset ? "your new link" : "the address that it prints now";
          trouble(`The server was started anew. Open ${link} in this browser: then this page goes on.`);
        }, () => {});
      }
    });
  };
  const quiet = () => {
    if (stream) stream.close();
    stream = null;
  };
  // A tab that nobody looks at keeps no connection: a browser has only six of them.
  document.addEventListener("visibilitychange", () => (document.hidden ? quiet() : listen()));

  const drafting = (speaker, words) => {
    const place = $("drafting");
    if (!place) return;
    place.hidden = !words;
    place.textContent = words ? `${speaker}: ${words}` : "";
  };

  // --- The moment ---
  const time = $("time");
  const range = $("at");
  const said = (number, last) => {
    $("moment").firstChild.textContent = `#${number} `;
    $("moment").lastElementChild.textContent = `of #${last}`;
    range.setAttribute("aria-valuetext", `#${number} of #${last}`);
  };
  if (!time) {
    drafted();
    $("act").addEventListener("input", (event) => { if (event.target.id === "words") sessionStorage.setItem(draft, event.target.value); });
    $("act").addEventListener("submit", (event) => { if (event.target.matches(".say")) sessionStorage.setItem(sent, event.target.elements.call.value); });
    // Whoever has answered, or is asked, wants to see what was said last, also when the campaign is over with it.
    history.scrollRestoration = "manual";
    // Only whoever may still sit down begins at the beginning.
    if (location.hash || document.querySelector("#act form[action$='/sit']")) reveal(); else toEnd();
    listen();
    return;
  }
  let playing = 0;
  let asked = 0;
  let held = false;
  // The moment that the page shows; the thumb may be elsewhere until the page follows.
  let shown = range.value;
  // An address that differs behind its # alone is another place on the page that is here.
  let place = location.pathname + location.search;
  const go = async (address, keeps) => {
    const mine = ++asked;
    quiet();
    let page;
    try {
      const answer = await fetch(address, { credentials: "same-origin" });
      page = new DOMParser().parseFromString(await answer.text(), "text/html");
      if (!answer.ok || !page.getElementById("told")) throw new Error((page.getElementById("problem") || page.querySelector("h1"))?.textContent || answer.statusText);
    } catch (error) {
      stop();
      trouble(`The moment cannot be shown: ${error.message}`);
      return;
    }
    if (mine !== asked) return;
    trouble("");
    if (!keeps) history.pushState(null, "", address); else history.replaceState(null, "", address);
    place = location.pathname + location.search;
    const focus = document.activeElement && document.activeElement.id;
    const again = kept($("side"));
    const top = $("side").scrollTop;
    for (const id of ["told", "side", "now"]) $(id).replaceChildren(...page.getElementById(id).childNodes);
    for (const tools of document.querySelectorAll(".tools")) tools.hidden = false;
    again();
    $("side").scrollTop = top;
    const fresh = page.getElementById("main");
    for (const name of ["past", "over"]) { if (name in fresh.dataset) main.dataset[name] = ""; else delete main.dataset[name]; }
    next = main.dataset.next = fresh.dataset.next;
    const there = page.getElementById("time");
    time.dataset.before = there.dataset.before;
    time.dataset.after = there.dataset.after;
    for (const id of ["earlier", "later"]) $(id).replaceWith(page.getElementById(id));
    exchange(page);
    const other = page.getElementById("at");
    range.max = other.max;
    range.value = shown = other.value;
    said(other.value, other.max);
    range.setAttribute("aria-valuetext", other.getAttribute("aria-valuetext"));
    const fork = document.querySelector("#fork [name=at]");
    if (fork) {
      fork.value = other.value;
      $("fork-at").textContent = `#${other.value}`;
    }
    if (focus && $(focus)) $(focus).focus({ preventScroll: true });
    toEnd();
    listen();
  };
  const to = (number, keeps) => go(`${base}?at=${number}`, keeps);
  const stop = () => {
    clearTimeout(playing);
    playing = 0;
    $("play").textContent = "▸";
    $("play").setAttribute("aria-label", "Play");
  };
  const step = async () => {
    if (Number(range.value) >= Number(range.max)) return stop();
    await to(time.dataset.after, true);
    if (playing) playing = setTimeout(step, 1200);
  };
  $("show").hidden = true;
  $("play").hidden = false;
  $("play").addEventListener("click", () => {
    if (playing) return stop();
    $("play").textContent = "❙❙";
    $("play").setAttribute("aria-label", "Pause");
    playing = setTimeout(step, 0);
  });
  range.addEventListener("input", () => { held = true; stop(); said(range.value, range.max); });
  // Let go where it was taken, there is no change.
  for (const end of ["pointerup", "blur"]) range.addEventListener(end, () => { held = false; });
  range.addEventListener("change", () => { held = false; to(range.value, false); });
  // An entry is one step for an arrow, as for the buttons: a number within an entry is shown as its end, so one number back leads nowhere.
  const arrows = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 };
  range.addEventListener("keydown", (event) => {
    const way = arrows[event.key];
    if (!way || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    stop();
    const entry = way < 0 ? time.dataset.before : time.dataset.after;
    // Pressed again before the page follows: on from where the thumb is.
    range.value = range.value === shown ? entry : Number(range.value) + way;
    said(range.value, range.max);
    if (range.value !== shown) to(range.value, false);
  });
  time.addEventListener("submit", (event) => { event.preventDefault(); to(range.value, false); });
  time.addEventListener("click", (event) => {
    const link = event.target.closest("a.button");
    if (!link) return;
    event.preventDefault();
    stop();
    if (link.getAttribute("aria-disabled") !== "true") go(link.getAttribute("href"), false);
  });
  addEventListener("popstate", () => { if (location.pathname + location.search !== place) go(location.href, true); });

  reveal();
  listen();
})();
