// Steps through a game. The page holds the first picture cut at its opening tags, and for each move
// the pieces that changed: [[start, removed, [piece, …]], …], pieces numbered in a table.
(() => {
  "use strict";
  addEventListener("DOMContentLoaded", () => {
    const data = JSON.parse(document.getElementById("frames").textContent);
    const board = document.querySelector(".board");
    const slider = document.querySelector(".controls input");
    const output = document.querySelector(".controls output");
    const moves = [...document.querySelectorAll("ol.moves a")];
    const last = data.steps.length;

    const frames = [data.first];
    for (const step of data.steps) {
      const next = frames[frames.length - 1].slice();
      for (const [start, removed, pieces] of step) next.splice(start, removed, ...pieces);
      frames.push(next);
    }
    const picture = (ply) => frames[ply].map((piece) => data.pieces[piece]).join("");

    let ply = last;
    const show = (wanted) => {
      ply = Math.max(0, Math.min(last, wanted));
      board.innerHTML = picture(ply);
      slider.value = String(ply);
      output.textContent = `${ply} / ${last}`;
      moves.forEach((move, index) => {
        if (index === ply) move.setAttribute("aria-current", "step");
        else move.removeAttribute("aria-current");
      });
      const list = document.querySelector("ol.moves");
      const current = moves[ply];
      if (current) {
        const top = current.offsetTop - list.offsetTop;
        if (top < list.scrollTop || top + current.offsetHeight > list.scrollTop + list.clientHeight) {
          list.scrollTop = top - list.clientHeight / 2;
        }
      }
    };
    const go = (wanted) => {
      show(wanted);
      try { history.replaceState(null, "", "#" + ply); } catch { /* some browsers refuse for files */ }
    };
    const fromHash = () => {
      const wanted = /^#(\d+)$/.exec(location.hash);
      show(wanted ? Number(wanted[1]) : last);
    };

    let timer = 0;
    const stop = () => { clearInterval(timer); timer = 0; play.textContent = "▶▶"; };
    const play = document.querySelector("[data-go=play]");
    const toggle = () => {
      if (timer) { stop(); return; }
      if (ply === last) go(0);
      play.textContent = "■";
      timer = setInterval(() => { if (ply >= last) stop(); else go(ply + 1); }, 700);
    };
    const actions = {
      first: () => go(0), back: () => go(ply - 1), next: () => go(ply + 1), last: () => go(last), play: toggle,
    };
    for (const button of document.querySelectorAll("[data-go]")) {
      button.addEventListener("click", () => {
        if (button.dataset.go !== "play" && timer) stop();
        actions[button.dataset.go]();
      });
    }
    slider.addEventListener("input", () => go(Number(slider.value)));
    moves.forEach((move, index) => move.addEventListener("click", (event) => { event.preventDefault(); go(index); }));
    addEventListener("keydown", (event) => {
      if (event.altKey || event.ctrlKey || event.metaKey) return;
      const named = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last", " ": "play" }[event.key];
      if (!named || (event.target.tagName === "BUTTON" && event.key === " ")) return;
      event.preventDefault();
      actions[named]();
    });
    addEventListener("hashchange", fromHash);
    fromHash();
  });
})();
