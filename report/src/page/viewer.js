// Steps through the games of the page. Texts from outside only ever become text nodes and attributes' values.
"use strict";

(() => {
  const viewer = document.getElementById("viewer");
  const games = JSON.parse(document.getElementById("games").textContent);
  if (games.length === 0) return;
  const find = (selector) => viewer.querySelector(selector);
  const pieces = find(".board .pieces");
  const marks = find(".board .marks");
  const rows = find(".moves tbody");
  const list = find(".games");

  const START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w";
  const CELL = 100;
  const SCRIPTS = ["simplified-script", "traditional-script", "letters-script"];
  const MOST_LISTED = 1000;
  const SVG = "http://www.w3.org/2000/svg";

  // What is shown: a game, the positions it goes through, and how many of its moves were played.
  let shown = 0;
  let positions = [];
  let redFirst = true;
  let ply = 0;
  // What is listed: games with these words, or between these two.
  let listed = [];
  let pair = null;
  let clock = null;

  const element = (name, text, className) => {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    if (className) made.className = className;
    return made;
  };
  const drawn = (name, attributes) => {
    const made = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  };

  // Positions are lists of 90 letters of FEN or "", from a9 to i0 as FEN goes.
  const parse = (fen) => {
    const cells = [];
    for (const letter of fen.split(" ")[0].replaceAll("/", "")) {
      if (letter >= "1" && letter <= "9") cells.push(...Array(Number(letter)).fill(""));
      else cells.push(letter);
    }
    return cells;
  };
  const cellOf = (square) => (9 - Number(square[1])) * 9 + square.charCodeAt(0) - 97;
  const moveAt = (game, index) => game.moves.slice(4 * index, 4 * index + 4);
  const play = (cells, move) => {
    const [from, to] = [cellOf(move.slice(0, 2)), cellOf(move.slice(2))];
    const next = cells.slice();
    next[to] = next[from];
    next[from] = "";
    return next;
  };

  const isFlipped = () => viewer.classList.contains("flipped");
  const isRedMove = (index) => (index % 2 === 0) === redFirst;
  const place = (cell) => {
    const at = isFlipped() ? 89 - cell : cell;
    return `translate(${(at % 9) * CELL} ${Math.floor(at / 9) * CELL})`;
  };

  const scoreText = (score) => {
    if (score === null || score === undefined) return "";
    if (typeof score === "string") return (score.startsWith("#-") ? "−M" : "+M") + score.replace(/^#-?/, "");
    return (score < 0 ? "−" : "+") + (Math.abs(score) / 100).toFixed(2);
  };
  const timeText = (ms) => {
    if (ms === null || ms === undefined) return "";
    if (ms < 60000) return (ms / 1000).toFixed(ms < 10000 ? 2 : 1) + " s";
    const seconds = Math.floor(ms / 1000);
    const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
    if (parts[0] === 0) parts.shift();
    return parts.map((part, index) => (index ? String(part).padStart(2, "0") : part)).join(":");
  };
  // -1 to 1: a clear advantage shows, a crushing one does not hide the rest.
  const chance = (score) =>
    typeof score === "string" ? (score.startsWith("#-") ? -1 : 1) : Math.tanh(score / 300);

  const drawBoard = () => {
    const cells = positions[ply];
    pieces.replaceChildren();
    marks.replaceChildren();
    cells.forEach((letter, cell) => {
      if (letter) pieces.append(drawn("use", { href: `#piece-${letter}`, transform: place(cell) }));
    });
    if (ply > 0) {
      const move = moveAt(games[shown], ply - 1);
      marks.append(drawn("use", { href: "#origin-mark", transform: place(cellOf(move.slice(0, 2))) }));
      pieces.append(drawn("use", { href: "#target-mark", transform: place(cellOf(move.slice(2))) }));
    }
  };

  const drawPlayers = () => {
    const game = games[shown];
    for (const [side, name] of [["red", game.red], ["black", game.black]]) {
      // What the side's last move told.
      let last = ply - 1;
      if (last >= 0 && isRedMove(last) !== (side === "red")) last -= 1;
      const clockText = last >= 0 ? timeText(game.clocks?.[last]) : "";
      const toMove = isRedMove(ply) === (side === "red") && ply < positions.length - 1;
      const bar = find(`.${side}-player`);
      bar.classList.toggle("to-move", toMove);
      bar.replaceChildren(element("span", name, "name"), element("span", clockText, "clock"));
    }
  };

  const drawCurve = () => {
    const curve = find(".curve");
    const scores = games[shown].scores ?? [];
    curve.classList.toggle("hidden", scores.length === 0);
    curve.replaceChildren(drawn("line", { class: "axis", x1: 0, x2: 400, y1: 50, y2: 50 }));
    const x = (index) => (400 * index) / Math.max(1, positions.length - 1);
    for (const side of ["red", "black"]) {
      const points = scores
        .map((score, index) => [index, score])
        .filter(([index, score]) => score !== null && isRedMove(index) === (side === "red"))
        .map(([index, score]) => `${x(index + 1).toFixed(1)},${(50 - 46 * chance(score)).toFixed(1)}`);
      curve.append(drawn("polyline", { class: side, points: points.join(" ") }));
    }
    curve.append(drawn("line", { class: "cursor", x1: x(ply), x2: x(ply), y1: 0, y2: 100 }));
  };

  const go = (target) => {
    ply = Math.max(0, Math.min(positions.length - 1, target));
    drawBoard();
    drawPlayers();
    const x = (400 * ply) / Math.max(1, positions.length - 1);
    for (const end of ["x1", "x2"]) find(".curve .cursor").setAttribute(end, x);
    rows.querySelector(".current")?.classList.remove("current");
    const box = find(".moves");
    const row = ply > 0 ? rows.children[ply - 1] : null;
    if (row) {
      row.classList.add("current");
      const top = row.offsetTop - box.clientHeight / 2;
      if (row.offsetTop < box.scrollTop + 40 || row.offsetTop > box.scrollTop + box.clientHeight - 60) box.scrollTop = top;
    } else {
      box.scrollTop = 0;
    }
    find(".comment").textContent = (ply > 0 && games[shown].comments?.[ply - 1]) || "";
    if (ply === positions.length - 1) pause();
    remember();
  };

  // The address names what is shown, so that it can be sent to somebody. What every reader sees first needs no name.
  const remember = () => {
    if (!location.hash && shown === 0 && ply === 0) return;
    try {
      history.replaceState(null, "", `#game=${shown + 1}&ply=${ply}`);
    } catch {
      // Some places allow no change of address.
    }
  };
  const recall = () => {
    const wanted = new URLSearchParams(location.hash.slice(1));
    const game = Number(wanted.get("game"));
    if (!(game >= 1 && game <= games.length)) return false;
    show(Math.floor(game) - 1, Number(wanted.get("ply")) || 0);
    viewer.scrollIntoView();
    return true;
  };

  const COLUMNS = [
    ["scores", "Red's score", scoreText],
    ["depths", "depth", (depth) => depth ?? ""],
    ["times", "time", timeText],
    ["clocks", "clock", timeText],
  ];

  const listMoves = () => {
    const game = games[shown];
    const columns = COLUMNS.filter(([key]) => game[key]);
    const head = element("tr");
    head.append(element("th", ""), element("th", "move"), ...columns.map(([, title]) => element("th", title)));
    find(".moves thead").replaceChildren(head);
    rows.replaceChildren();
    for (let index = 0; index < positions.length - 1; index += 1) {
      const row = element("tr", undefined, isRedMove(index) ? "red" : "black");
      if (index < (game.given ?? 0)) row.classList.add("given");
      const number = Math.floor((index + (redFirst ? 0 : 1)) / 2) + 1;
      const move = moveAt(game, index);
      const cell = element("td", undefined, "move");
      const icon = drawn("svg", { viewBox: "-50 -50 100 100", "aria-hidden": "true" });
      icon.append(drawn("use", { href: `#piece-${positions[index][cellOf(move.slice(0, 2))]}` }));
      cell.append(icon, element("span", game.names?.[index] ?? move));
      if (game.comments?.[index]) cell.append(element("span", "*", "remarked"));
      row.append(element("td", isRedMove(index) ? `${number}.` : `${number}…`, "number"), cell);
      for (const [key, , text] of columns) row.append(element("td", text(game[key][index]), "right"));
      rows.append(row);
    }
  };

  const show = (index, target = 0) => {
    pause();
    shown = index;
    const game = games[index];
    const fen = game.fen ?? START;
    redFirst = fen.split(" ")[1] !== "b";
    positions = [parse(fen)];
    for (let move = 0; 4 * move < game.moves.length; move += 1) {
      positions.push(play(positions[move], moveAt(game, move)));
    }
    find(".names").replaceChildren(
      element("span", game.red, "red"), element("b", ` ${game.result.replaceAll("1/2", "½")} `), element("span", game.black, "black"));
    find(".ending").textContent = [game.termination, game.reason].filter(Boolean).join(": ");
    find(".opening").textContent = game.opening ?? "";
    listMoves();
    drawCurve();
    go(target);
    list.querySelector(".current")?.classList.remove("current");
    list.querySelector(`[data-game="${index}"]`)?.parentElement.classList.add("current");
  };

  const listGames = () => {
    const words = find(".filter").value.toLowerCase().split(/\s+/).filter(Boolean);
    const fits = (game) => {
      if (pair) return (game.red === pair[0] && game.black === pair[1]) || (game.red === pair[1] && game.black === pair[0]);
      const text = `${game.red} ${game.black} ${game.result} ${game.termination ?? ""} ${game.opening ?? ""}`.toLowerCase();
      return words.every((word) => text.includes(word));
    };
    listed = games.map((_, index) => index).filter((index) => fits(games[index]));
    const between = pair ? `${pair[0]} – ${pair[1]}: ` : "";
    const cut = listed.length > MOST_LISTED ? `, the first ${MOST_LISTED} listed` : "";
    find(".count").textContent = `${between}${listed.length} of ${games.length} games${cut}`;
    list.replaceChildren(...listed.slice(0, MOST_LISTED).map((index) => {
      const game = games[index];
      const button = element("button");
      button.type = "button";
      button.dataset.game = index;
      button.append(
        element("span", index + 1, "number"), element("span", game.red, "red"),
        element("b", game.result.replace("1/2-1/2", "½–½").replace("-", "–")), element("span", game.black, "black"));
      const item = element("li", undefined, index === shown ? "current" : "");
      item.append(button);
      return item;
    }));
  };

  const neighbour = (step) => {
    const at = listed.indexOf(shown) + step;
    if (at >= 0 && at < listed.length) show(listed[at]);
  };

  const pause = () => {
    clearInterval(clock);
    clock = null;
    viewer.classList.remove("playing");
  };
  const playOn = () => {
    if (clock) return pause();
    if (ply === positions.length - 1) go(0);
    viewer.classList.add("playing");
    clock = setInterval(() => go(ply + 1), 900);
  };

  const ACTIONS = {
    first: () => go(0),
    back: () => go(ply - 1),
    play: playOn,
    forward: () => go(ply + 1),
    last: () => go(positions.length - 1),
    flip: () => {
      viewer.classList.toggle("flipped");
      drawBoard();
    },
    script: () => {
      const at = SCRIPTS.findIndex((script) => viewer.classList.contains(script));
      viewer.classList.replace(SCRIPTS[at], SCRIPTS[(at + 1) % SCRIPTS.length]);
    },
    "previous-game": () => neighbour(-1),
    "next-game": () => neighbour(1),
  };
  const KEYS = {
    ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last", f: "flip", p: "previous-game", n: "next-game",
  };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest?.("input")) return;
    // On a long page the keys belong to the viewer only while it is in sight.
    const { top, bottom } = viewer.getBoundingClientRect();
    const action = KEYS[event.key];
    if (!action || bottom < 0 || top > innerHeight) return;
    event.preventDefault();
    ACTIONS[action]();
  });
  viewer.addEventListener("click", (event) => {
    const button = event.target.closest("[data-do]");
    if (button) ACTIONS[button.dataset.do]();
  });
  rows.addEventListener("click", (event) => {
    const row = event.target.closest("tr");
    if (row) go([...rows.children].indexOf(row) + 1);
  });
  list.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button) show(Number(button.dataset.game));
  });
  find(".curve").addEventListener("click", (event) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    go(Math.round(((event.clientX - left) / width) * (positions.length - 1)));
  });
  find(".filter").addEventListener("input", () => {
    pair = null;
    listGames();
  });

  // A swipe over the board turns the page; a tap steps on, on its left half back.
  let touch = null;
  const board = find(".board");
  board.addEventListener("pointerdown", (event) => {
    touch = event.clientX;
  });
  board.addEventListener("pointerup", (event) => {
    if (touch === null) return;
    const moved = event.clientX - touch;
    touch = null;
    const { left, width } = board.getBoundingClientRect();
    const back = Math.abs(moved) > 30 ? moved > 0 : event.clientX < left + width / 2;
    ACTIONS[back ? "back" : "forward"]();
  });
  board.addEventListener("pointercancel", () => {
    touch = null;
  });

  // A cell of the cross table chooses the games of the two.
  document.addEventListener("click", (event) => {
    const cell = event.target.closest("[data-one]");
    if (!cell) return;
    pair = [cell.dataset.one, cell.dataset.other];
    find(".filter").value = "";
    listGames();
    if (listed.length > 0) show(listed[0]);
    viewer.scrollIntoView({ behavior: "smooth" });
  });
  window.addEventListener("hashchange", recall);

  listGames();
  if (!recall()) show(0);
})();
