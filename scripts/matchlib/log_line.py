"""Turns the last line of `chuhe match … --sprt … --format json` on standard input into a line of docs/strength-log.md."""

import json
import sys
from datetime import date

contest, conditions = sys.argv[1:]
results = json.loads(sys.stdin.read().splitlines()[-1])
if not results["pairings"]:
    sys.exit("log_line.py: no games")
if not results["finished"]:
    sys.exit("log_line.py: the test is not finished")
pairing = results["pairings"][0]
won, drawn, lost = pairing["won_drawn_lost"]
elo, test = pairing["estimate"], results["sprt"]
verdict = {"accept-h1": "H1 accepted", "accept-h0": "H0 accepted", "continue": "undecided"}[test["verdict"]]
hypotheses = f"SPRT of {test['elo1']:g} against {test['elo0']:g} {test['model']} Elo"
if elo["elo"] is None:
    difference = "all won" if won else "all lost"
else:
    difference = f"{round(elo['elo'], 1) + 0.0:+.1f} ± {elo['elo_error']:.1f}"
score = f"+{won} ={drawn} -{lost}, {difference}, LLR {test['llr']:.2f}"
line = f"| {date.today()} | {contest} | {conditions}, {hypotheses}, {won + drawn + lost} games | {score}: {verdict} | |"
print(line.replace(" -", " −"))
