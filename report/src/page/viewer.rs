//! The viewer's markup.

use maud::{Markup, PreEscaped, html};

use super::game::GameView;
use super::study::Mark;
use super::words::Words;
use super::{MoveNames, Reading, data};
use crate::board;

/// Everything that steps through `games` but the program, which [`Document::of_games`](super::Document::of_games)
/// adds: markup and data. A document holds one at most.
pub(crate) fn viewer(games: &[GameView], reading: &Reading) -> Markup {
    let say = |chinese, english| reading.language.choose(chinese, english);
    html! {
        section id="viewer" class="viewer simplified-script" tabindex="-1" aria-label=(say("对局", "games")) {
            div class="stage" {
                div class="player black-player" {}
                (board::interactive(say("棋盘", "board")))
                div class="player red-player" {}
                div class="balance" role="img" { span class="red-share" {} }
                div class="controls" {
                    button type="button" data-do="first" title="Home" aria-label=(say("到开头", "to the start")) { (icon("M6 5v14M20 5l-10 7 10 7z")) }
                    button type="button" data-do="back" title="←" aria-label=(say("后退一着", "one move back")) { (icon("M17 5L7 12l10 7z")) }
                    button type="button" data-do="play" aria-label=(say("播放或暂停", "play or pause")) {
                        span class="when-still" { (icon("M7 4l13 8-13 8z")) }
                        span class="when-playing" { (icon("M7 5v14M17 5v14")) }
                    }
                    button type="button" data-do="forward" title="→" aria-label=(say("前进一着", "one move on")) { (icon("M7 5l10 7-10 7z")) }
                    button type="button" data-do="last" title="End" aria-label=(say("到末尾", "to the end")) { (icon("M18 5v14M4 5l10 7-10 7z")) }
                    button type="button" data-do="flip" title="f" aria-label=(say("翻转棋盘", "turn the board")) { (icon("M8 20V5M4 9l4-4 4 4M16 4v15M12 15l4 4 4-4")) }
                    button type="button" data-do="script" title="马 馬 N" aria-label=(say("更换棋子字样", "other signs on the pieces")) {
                        svg viewBox="-50 -50 100 100" aria-hidden="true" { use href="#piece-N" {} }
                    }
                    button type="button" data-do="arrows" class="studied" title="a" aria-label=(say("最佳着法箭头", "arrows for the best moves")) { (icon("M5 19L17 7M9 6h9v9")) }
                }
            }
            div class="record" {
                p class="event" {}
                p class="damage" {}
                h3 class="names" {}
                p class="ending" {}
                p class="opening" {}
                p class="kills" {}
                svg class="curve" viewBox="0 0 400 100" preserveAspectRatio="none" {}
                div class="notations studied" role="group" aria-label=(say("着法记谱", "names of moves")) {
                    @for names in MoveNames::ALL {
                        button type="button" data-do=(names.key()) aria-pressed=(names == reading.notation) { (names.example()) }
                    }
                }
                div class="moves" { table { thead {} tbody {} } }
                p class="comment" {}
                p class="previewed" hidden {
                    (say("正在看变例，", "A line is shown. ")) " "
                    button type="button" data-do="return" title="Esc" { (say("回到对局", "Back to the game")) }
                }
                p class="judged" {}
                p class="follows studied" { (say("此后最佳着法：", "Best from here:")) }
                ol class="lines" {}
                div class="summary" {}
                details class="legend studied" {
                    summary { (say("图例", "Legend")) }
                    (legend(reading))
                }
                p class="source" {}
            }
            div class="chooser" {
                div class="filters" {
                    input type="search" class="filter" placeholder=(say("棋手、结果、终局……", "name, result, ending …")) aria-label=(say("查找对局", "find games"));
                    button type="button" data-do="previous-game" title="p" aria-label=(say("上一局", "previous game")) { "‹" }
                    button type="button" data-do="next-game" title="n" aria-label=(say("下一局", "next game")) { "›" }
                }
                p class="count" {}
                ol class="games" {}
            }
        }
        script type="application/json" id="words" { (PreEscaped(data::json(&Words::new(reading.language)))) }
        script type="application/json" id="games" { (PreEscaped(data::json(&data::games(games)))) }
    }
}

/// What the signs of an analyzed game mean.
fn legend(reading: &Reading) -> Markup {
    let language = reading.language;
    let rows = [
        ("50 %", "该着后红方的胜率，和棋算一半", "Red's win probability after the move; a draw counts half"),
        ("+0.35", "红方分数；100 即有一半机会取胜", "Red's score; 1.00 is an even chance to win"),
        ("+M3", "红方三步内杀；−M3 为黑方", "Red mates in three moves; −M3: Black does"),
        (
            "+R8",
            "红方按循环规则八步内胜；−R8 为黑方",
            "Red wins by the rules of repetition in eight moves; −R8: Black does",
        ),
        ("*", "棋谱对该着有注释", "the record has a comment on the move"),
    ];
    html! {
        dl {
            @for (sign, chinese, english) in rows {
                dt { (sign) }
                dd { (language.choose(chinese, english)) }
            }
            @for mark in Mark::ALL {
                dt { (mark.sign(language)) }
                dd { (mark.name(language)) }
            }
        }
        p {
            (language.choose(
                "绿箭头为最佳着法，蓝箭头为其余变例。点击变例中的着法即在棋盘上演示，按 Esc 或“回到对局”返回。",
                "The green arrow is the best move, blue ones are those of the other lines. A move of a line, when clicked, is \
                 shown on the board; Esc or the button leads back to the game.",
            ))
        }
    }
}

/// A sign on a button.
fn icon(path: &str) -> Markup {
    html! {
        svg viewBox="0 0 24 24" aria-hidden="true" {
            path d=(path) fill="currentColor" stroke="currentColor" stroke-width="2" stroke-linejoin="round" stroke-linecap="round" {}
        }
    }
}
