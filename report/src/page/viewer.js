// Steps through the games of the page. Texts from outside only ever become text nodes and attributes' values; names are
// isolated (bdi), so that those written from right to left leave what stands beside them alone.
"use strict";

(() => {
  const viewer = document.getElementById("viewer");
  const games = JSON.parse(document.getElementById("games").textContent);
  // All that is said in the language of the page.
  const words = JSON.parse(document.getElementById("words").textContent);
  if (games.length === 0) return;
  const find = (selector) => viewer.querySelector(selector);
  const pieces = find(".board .pieces");
  const marks = find(".board .marks");
  const arrows = find(".board .arrows");
  const rows = find(".moves tbody");
  const list = find(".games");

  const START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w";
  const CELL = 100;
  const SCRIPTS = ["simplified-script", "traditional-script", "letters-script"];
  const NOTATIONS = ["chinese", "wxf"];
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
  // What the moves of analyzed games are called; and a position of a line that is looked at instead of the game's.
  let notation = find(".notations [aria-pressed=true]").dataset.do;
  let preview = null;

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

  // A text with what belongs in its braces.
  const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, key) => values[key]);
  // Of a name in Chinese and in English, the one in the page's language if there is one.
  const oneOf = (names) => names[words.place] || names.find(Boolean) || "";
  // Who is not named is called by the side.
  const redName = (game) => game.red || words.red;
  const blackName = (game) => game.black || words.black;

  const isFlipped = () => viewer.classList.contains("flipped");
  const isRedMove = (index) => (index % 2 === 0) === redFirst;
  const place = (cell) => {
    const at = isFlipped() ? 89 - cell : cell;
    return `translate(${(at % 9) * CELL} ${Math.floor(at / 9) * CELL})`;
  };

  const scoreText = (score) => {
    if (score === null || score === undefined) return "";
    // "#5" is a mate in five, "=5" a win by the rules.
    if (typeof score === "string") {
      return (score[1] === "-" ? "−" : "+") + (score[0] === "#" ? "M" : "R") + score.replace(/^.-?/, "");
    }
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
    typeof score === "string" ? (score[1] === "-" ? -1 : 1) : Math.tanh(score / 300);
  const percent = (mille) => `${(mille / 10).toFixed(0)} %`;

  // What an analysis says of a move.
  const MARKS = Object.fromEntries(words.marks.map(([key, sign, name]) => [key, { sign, name }]));
  const markOf = (index) => games[shown].study?.marks[index] ?? null;
  const markSign = (mark) => {
    const sign = element("span", MARKS[mark].sign, `mark ${mark}`);
    sign.title = MARKS[mark].name;
    return sign;
  };
  const nameOf = (index) => {
    const game = games[shown];
    const names = game.study?.names[NOTATIONS.indexOf(notation)];
    return names?.[index] ?? game.names?.[index] ?? moveAt(game, index);
  };
  const numberOf = (index) => `${Math.floor((index + (redFirst ? 0 : 1)) / 2) + 1}${isRedMove(index) ? "." : "…"}`;
  // Red's chance in per mille after so many moves; the one before the first follows from what that move lost.
  const chanceAt = (target) => {
    const { chances = [], losses = [] } = games[shown].study ?? {};
    if (target > 0) return chances[target - 1] ?? null;
    if (typeof chances[0] !== "number") return null;
    return Math.max(0, Math.min(1000, chances[0] + (redFirst ? 1 : -1) * (losses[0] ?? 0)));
  };

  const drawBoard = () => {
    const cells = preview?.cells ?? positions[ply];
    const last = preview?.move ?? (ply > 0 ? moveAt(games[shown], ply - 1) : null);
    pieces.replaceChildren();
    marks.replaceChildren();
    cells.forEach((letter, cell) => {
      if (letter) pieces.append(drawn("use", { href: `#piece-${letter}`, transform: place(cell) }));
    });
    if (last) {
      marks.append(drawn("use", { href: "#origin-mark", transform: place(cellOf(last.slice(0, 2))) }));
      pieces.append(drawn("use", { href: "#target-mark", transform: place(cellOf(last.slice(2))) }));
    }
    drawArrows();
  };

  // The first moves of the best lines, the best one on top.
  const drawArrows = () => {
    arrows.replaceChildren();
    const lines = preview ? [] : (games[shown].study?.lines[ply] ?? []);
    if (viewer.classList.contains("no-arrows")) return;
    lines.slice().reverse().forEach((line, index) => {
      const rank = index === lines.length - 1 ? "best" : "other";
      if (line[2].length >= 4) arrows.append(drawn("path", { class: rank, d: arrow(line[2].slice(0, 4)) }));
    });
  };
  // From centre to centre, its head within the target.
  const arrow = (move) => {
    const [[x0, y0], [x, y]] = [move.slice(0, 2), move.slice(2)].map((square) => {
      const cell = cellOf(square);
      const at = isFlipped() ? 89 - cell : cell;
      return [(at % 9) * CELL, Math.floor(at / 9) * CELL];
    });
    const length = Math.hypot(x - x0, y - y0);
    const [ux, uy] = [(x - x0) / length, (y - y0) / length];
    const point = (along, across) =>
      `${(x + (along - 18) * ux - across * uy).toFixed(1)} ${(y + (along - 18) * uy + across * ux).toFixed(1)}`;
    const shaft = 48 - length;
    const outline = [[0, 0], [-40, 24], [-32, 8], [shaft, 8], [shaft, -8], [-32, -8], [-40, -24]];
    return `M${outline.map(([along, across]) => point(along, across)).join("L")}Z`;
  };

  const drawPlayers = () => {
    const game = games[shown];
    for (const [side, name] of [["red", redName(game)], ["black", blackName(game)]]) {
      // What the side's last move told.
      let last = ply - 1;
      if (last >= 0 && isRedMove(last) !== (side === "red")) last -= 1;
      const clockText = last >= 0 ? timeText(game.clocks?.[last]) : "";
      const toMove = isRedMove(ply) === (side === "red") && ply < positions.length - 1;
      const bar = find(`.${side}-player`);
      bar.classList.toggle("to-move", toMove);
      bar.replaceChildren(element("bdi", name, "name"), element("span", clockText, "clock"));
    }
  };

  const drawCurve = () => {
    const curve = find(".curve");
    const { scores = [], study } = games[shown];
    curve.classList.toggle("hidden", scores.length === 0 && !study);
    curve.setAttribute("aria-label", study ? words.winProbability : words.scores);
    curve.replaceChildren(...(study ? chanceCurve() : scoreCurves(scores)));
    curve.append(drawn("line", { class: "cursor", x1: curveX(ply), x2: curveX(ply), y1: 0, y2: 100 }));
  };
  const curveX = (target) => ((400 * target) / Math.max(1, positions.length - 1)).toFixed(1);
  const axis = () => drawn("line", { class: "axis", x1: 0, x2: 400, y1: 50, y2: 50 });
  const scoreCurves = (scores) => [axis(), ...["red", "black"].map((side) => {
    const points = scores
      .map((score, index) => [index, score])
      .filter(([index, score]) => score !== null && isRedMove(index) === (side === "red"))
      .map(([index, score]) => `${curveX(index + 1)},${(50 - 46 * chance(score)).toFixed(1)}`);
    return drawn("polyline", { class: side, points: points.join(" ") });
  })];
  // Red's chance as an area, with a point for each move that is marked for what it lost.
  const chanceCurve = () => {
    const targets = positions.map((_, target) => target).filter((target) => chanceAt(target) !== null);
    const y = (target) => (100 - chanceAt(target) / 10).toFixed(1);
    const points = targets.map((target) => `${curveX(target)} ${y(target)}`);
    if (points.length === 0) return [axis()];
    const area = `M${curveX(targets[0])} 100L${points.join("L")}L${curveX(targets[targets.length - 1])} 100Z`;
    const dots = targets.filter((target) => target > 0 && ![null, "book"].includes(markOf(target - 1)));
    return [
      drawn("path", { class: "area", d: area }),
      axis(),
      drawn("path", { class: "course", d: `M${points.join("L")}` }),
      ...dots.map((target) => drawn("path", { class: `dot ${markOf(target - 1)}`, d: `M${curveX(target)} ${y(target)}h0` })),
    ];
  };

  const go = (target) => {
    ply = Math.max(0, Math.min(positions.length - 1, target));
    preview = null;
    drawBoard();
    drawPlayers();
    for (const end of ["x1", "x2"]) find(".curve .cursor").setAttribute(end, curveX(ply));
    rows.querySelector(".current")?.classList.remove("current");
    const box = find(".moves");
    const entry = rows.querySelector(`[data-ply="${ply}"]`);
    if (entry) {
      entry.classList.add("current");
      const top = entry.offsetTop - box.clientHeight / 2;
      if (entry.offsetTop < box.scrollTop + 40 || entry.offsetTop > box.scrollTop + box.clientHeight - 60) box.scrollTop = top;
    } else {
      box.scrollTop = 0;
    }
    find(".comment").textContent = (ply > 0 && games[shown].comments?.[ply - 1]) || "";
    tellPosition();
    if (ply === positions.length - 1) pause();
    remember();
  };

  // What the analysis says of the last move and of what may follow.
  const tellPosition = () => {
    const { study } = games[shown];
    const red = chanceAt(ply);
    const balance = find(".balance");
    balance.classList.toggle("hidden", red === null);
    balance.setAttribute("aria-label", red === null ? "" : fill(words.balance, { red: percent(red), black: percent(1000 - red) }));
    find(".red-share").style.width = `${(red ?? 0) / 10}%`;
    find(".judged").replaceChildren(...(study && ply > 0 ? judgement(study, ply - 1) : []));
    listLines(study?.lines[ply] ?? []);
  };
  const judgement = (study, index) => {
    const mark = markOf(index);
    const parts = [element("b", `${numberOf(index)} ${nameOf(index)}`)];
    if (mark) parts.push(" ", markSign(mark), ` ${MARKS[mark].name}`);
    const loss = study.losses[index];
    if (loss >= 10) parts.push(`, −${percent(loss)}`);
    const best = study.lines[index]?.[0];
    if (best && loss > 0 && best[2].slice(0, 4) !== moveAt(games[shown], index)) {
      // The better move can be looked at from here as well.
      parts.push(` · ${words.best}`, lineButton(best, index, 0, 0), ` ${scoreText(best[0])}`);
    }
    return parts;
  };

  const lineName = (line, index) => line[3][NOTATIONS.indexOf(notation)]?.[index] ?? line[2].slice(4 * index, 4 * index + 4);
  const listLines = (lines) => {
    find(".lines").replaceChildren(...lines.map((line, at) => {
      const item = element("li");
      const value = element("span", scoreText(line[0]), "score");
      value.title = fill(words.atDepth, { depth: line[1] });
      item.append(value);
      for (let index = 0; 4 * index < line[2].length; index += 1) item.append(lineButton(line, ply, at, index));
      return item;
    }));
    find(".follows").hidden = lines.length === 0;
    find(".previewed").hidden = true;
  };
  // A move of a line that begins after so many moves of the game.
  const lineButton = (line, from, at, step) => {
    const button = element("button", lineName(line, step), isRedMove(from + step) ? "red" : "black");
    button.type = "button";
    Object.assign(button.dataset, { from, line: at, step });
    return button;
  };
  // The position after some moves of a line.
  const lookAhead = (from, at, step) => {
    const line = games[shown].study.lines[from][at];
    const moves = line[2].match(/.{4}/g).slice(0, step + 1);
    if (step >= moves.length) return;
    preview = { cells: moves.reduce(play, positions[from]), move: moves[step], from, at, step };
    pause();
    drawBoard();
    find(".previewed").hidden = false;
    for (const button of viewer.querySelectorAll("[data-step]")) {
      const { dataset } = button;
      const isShown = Number(dataset.from) === from && Number(dataset.line) === at && Number(dataset.step) === step;
      button.classList.toggle("current", isShown);
    }
  };
  // Along a line that is looked at, or else through the game; before a line's first move is the game.
  const step = (by) => {
    if (!preview) go(ply + by);
    else if (preview.step + by < 0) go(ply);
    else lookAhead(preview.from, preview.at, preview.step + by);
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
    ["scores", words.score, scoreText],
    ["depths", words.depth, (depth) => depth ?? ""],
    ["times", words.time, timeText],
    ["clocks", words.clock, timeText],
  ];

  const listMoves = () => {
    const game = games[shown];
    rows.replaceChildren();
    if (game.study) return listPairs();
    const columns = COLUMNS.filter(([key]) => game[key]);
    const head = element("tr");
    head.append(element("th", ""), element("th", words.move), ...columns.map(([, title]) => element("th", title)));
    find(".moves thead").replaceChildren(head);
    for (let index = 0; index < positions.length - 1; index += 1) {
      const row = element("tr", undefined, isRedMove(index) ? "red" : "black");
      row.dataset.ply = index + 1;
      if (index < (game.given ?? 0)) row.classList.add("given");
      const move = moveAt(game, index);
      const cell = element("td", undefined, "move");
      const icon = drawn("svg", { viewBox: "-50 -50 100 100", "aria-hidden": "true" });
      icon.append(drawn("use", { href: `#piece-${positions[index][cellOf(move.slice(0, 2))]}` }));
      cell.append(icon, element("bdi", nameOf(index)));
      if (game.comments?.[index]) cell.append(element("span", "*", "remarked"));
      row.append(element("td", numberOf(index), "number"), cell);
      for (const [key, , text] of columns) row.append(element("td", text(game[key][index]), "right"));
      rows.append(row);
    }
  };
  // Of an analyzed game: Red's and Black's moves side by side, with marks and Red's chance.
  const listPairs = () => {
    find(".moves thead").replaceChildren();
    let row = null;
    for (let index = 0; index < positions.length - 1; index += 1) {
      if (isRedMove(index) || !row) {
        row = element("tr", undefined, "pair");
        row.append(element("td", numberOf(index), "number"));
        if (!isRedMove(index)) row.append(element("td", "…"));
        rows.append(row);
      }
      const cell = element("td", undefined, `move ${isRedMove(index) ? "red" : "black"}`);
      cell.dataset.ply = index + 1;
      cell.append(element("bdi", nameOf(index), "name"));
      if (markOf(index)) cell.append(markSign(markOf(index)));
      if (games[shown].comments?.[index]) cell.append(element("span", "*", "remarked"));
      const chance = chanceAt(index + 1);
      if (chance !== null) cell.append(element("span", percent(chance), "chance"));
      row.append(cell);
    }
  };

  const summarise = () => {
    const { study } = games[shown];
    find(".summary").replaceChildren();
    if (!study) return;
    const table = element("table");
    const head = element("tr");
    const [red, black] = [redName(games[shown]), blackName(games[shown])];
    head.append(element("th"), element("th", red, "right red"), element("th", black, "right black"));
    table.append(head);
    for (const [key, name, mark] of words.summary) {
      const row = element("tr");
      const label = element("th", name);
      label.scope = "row";
      if (mark) label.append(" ", markSign(mark));
      row.append(label, ...study.players.map((player) => element("td", player[key] ?? "–", "right")));
      table.append(row);
    }
    find(".summary").append(table);
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
    const result = element("b", ` ${game.result.replaceAll("1/2", "½")} `);
    find(".names").replaceChildren(element("bdi", redName(game), "red"), result, element("bdi", blackName(game), "black"));
    const ending = [game.termination, game.reason].filter(Boolean).map((text) => element("bdi", text));
    find(".ending").replaceChildren(...ending.flatMap((text, index) => (index ? [words.colon, text] : [text])));
    find(".opening").textContent = game.study ? oneOf(game.study.opening) : (game.opening ?? "");
    for (const key of ["event", "damage", "source"]) find(`.${key}`).textContent = game.study?.[key] ?? "";
    viewer.classList.toggle("position", game.moves.length === 0);
    find(".kills").textContent = (game.study?.kills ?? []).map(oneOf).join(" · ");
    viewer.classList.toggle("with-study", Boolean(game.study));
    ply = Math.max(0, Math.min(positions.length - 1, target));
    listMoves();
    summarise();
    drawCurve();
    go(target);
    for (const row of document.querySelectorAll(".index tbody tr")) {
      row.classList.toggle("current", row.rowIndex === index + 1);
    }
    list.querySelector(".current")?.classList.remove("current");
    list.querySelector(`[data-game="${index}"]`)?.parentElement.classList.add("current");
  };

  const listGames = () => {
    const sought = find(".filter").value.toLowerCase().split(/\s+/).filter(Boolean);
    const fits = (game) => {
      if (pair) return (game.red === pair[0] && game.black === pair[1]) || (game.red === pair[1] && game.black === pair[0]);
      const { event = "", source = "", opening = [], kills = [] } = game.study ?? {};
      const own = [game.red, game.black, game.result, game.termination, game.opening];
      const texts = [...own, event, source, ...opening, ...kills.flat()];
      const text = texts.filter(Boolean).join(" ").toLowerCase();
      return sought.every((word) => text.includes(word));
    };
    listed = games.map((_, index) => index).filter((index) => fits(games[index]));
    const found = new Set(listed);
    for (const row of document.querySelectorAll(".index tbody tr")) row.hidden = !found.has(row.rowIndex - 1);
    const between = pair ? [element("bdi", pair[0]), " – ", element("bdi", pair[1]), words.colon] : [];
    const cut = listed.length > MOST_LISTED ? fill(words.firstListed, { most: MOST_LISTED }) : "";
    find(".count").replaceChildren(...between, fill(words.count, { listed: listed.length, all: games.length }) + cut);
    list.replaceChildren(...listed.slice(0, MOST_LISTED).map((index) => {
      const game = games[index];
      const button = element("button");
      button.type = "button";
      button.dataset.game = index;
      button.append(
        element("span", index + 1, "number"), element("bdi", redName(game), "red"),
        element("b", game.result.replace("1/2-1/2", "½–½").replace("-", "–")), element("bdi", blackName(game), "black"));
      const item = element("li", undefined, index === shown ? "current" : "");
      item.append(button);
      return item;
    }));
  };

  const choose = (name) => {
    notation = name;
    for (const button of viewer.querySelectorAll(".notations button")) {
      button.setAttribute("aria-pressed", String(button.dataset.do === name));
    }
  };
  const call = (name) => {
    choose(name);
    const box = find(".moves");
    const top = box.scrollTop;
    listMoves();
    go(ply);
    box.scrollTop = top;
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
    back: () => step(-1),
    play: playOn,
    forward: () => step(1),
    return: () => go(ply),
    last: () => go(positions.length - 1),
    flip: () => {
      viewer.classList.toggle("flipped");
      drawBoard();
    },
    script: () => {
      const at = SCRIPTS.findIndex((script) => viewer.classList.contains(script));
      viewer.classList.replace(SCRIPTS[at], SCRIPTS[(at + 1) % SCRIPTS.length]);
    },
    arrows: () => {
      viewer.classList.toggle("no-arrows");
      drawArrows();
    },
    chinese: () => call("chinese"),
    wxf: () => call("wxf"),
    iccs: () => call("iccs"),
    "previous-game": () => neighbour(-1),
    "next-game": () => neighbour(1),
  };
  const KEYS = {
    ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last", f: "flip", a: "arrows", p: "previous-game",
    n: "next-game", Escape: "return",
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
    const entry = event.target.closest("[data-ply]");
    if (entry) go(Number(entry.dataset.ply));
  });
  find(".record").addEventListener("click", (event) => {
    const button = event.target.closest("[data-step]");
    if (button) lookAhead(...["from", "line", "step"].map((key) => Number(button.dataset[key])));
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
  // So does a line of the index.
  document.addEventListener("click", (event) => {
    const row = event.target.closest(".index tbody tr");
    if (!row || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    show(row.rowIndex - 1);
    viewer.scrollIntoView();
  });
  window.addEventListener("hashchange", recall);

  viewer.classList.toggle("single", games.length === 1);
  choose(notation);
  listGames();
  if (!recall()) show(0);
})();
