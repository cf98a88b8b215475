//! Most likely distributions under a hypothesis, and the generalised log-likelihood ratio.
//!
//! Theory: M. Van den Bergh, *Comments on maximum likelihood estimates for the multinomial distribution*
//! (`support_MLE_multinomial.pdf`, proposition 1.1) and *A practical introduction to normalized Elo*
//! (`normalized_elo_practical.pdf`, sections 4.1 and 4.2), the notes behind fishtest's `LLRcalc.py`.

use super::frequencies::{Distribution, moments};

/// Steps of bisection: enough to exhaust the digits of an `f64`.
const BISECTION_STEPS: usize = 100;

/// Rounds of the iteration for a given t-value; it settles within ten.
const T_VALUE_ROUNDS: usize = 30;

/// Log-likelihood ratio of mean score `s1` against mean score `s0`; both strictly between 0 and 1.
pub(crate) fn of_means<const N: usize>(seen: &Distribution<N>, s0: f64, s1: f64) -> Option<f64> {
    Some(ratio(seen, &with_mean(seen, s0)?, &with_mean(seen, s1)?))
}

/// Log-likelihood ratio of t-value `t1` against `t0`, a t-value being (mean − ½) / deviation of a sample.
pub(crate) fn of_t_values<const N: usize>(seen: &Distribution<N>, t0: f64, t1: f64) -> f64 {
    match (with_t_value(seen, t0), with_t_value(seen, t1)) {
        (Some(p0), Some(p1)) => ratio(seen, &p0, &p1),
        // Far from what was seen the iteration may leave its domain; the closed approximation (section 4.2) has none.
        _ => {
            let (mean, variance) = seen.moments();
            let t = (mean - 0.5) / variance.sqrt();
            seen.samples / 2.0 * ((1.0 + (t - t0) * (t - t0)) / (1.0 + (t - t1) * (t - t1))).ln()
        }
    }
}

fn ratio<const N: usize>(seen: &Distribution<N>, p0: &[f64; N], p1: &[f64; N]) -> f64 {
    let mean: f64 = (0..N).map(|i| seen.p[i] * (p1[i] / p0[i]).ln()).sum();
    seen.samples * mean
}

/// The most likely distribution with the given mean (proposition 1.1).
fn with_mean<const N: usize>(seen: &Distribution<N>, mean: f64) -> Option<[f64; N]> {
    tilted(&seen.p, &Distribution::<N>::values().map(|a| a - mean))
}

/// The most likely distribution with the given t-value: the constraint is linearised around the last answer until it
/// stands still (section 4.1).
fn with_t_value<const N: usize>(seen: &Distribution<N>, t: f64) -> Option<[f64; N]> {
    let values = Distribution::<N>::values();
    let mut p = [1.0 / N as f64; N];
    for _ in 0..T_VALUE_ROUNDS {
        let (mean, variance) = moments(&p);
        let deviation = variance.sqrt();
        let constraint = values.map(|a| {
            let z = (mean - a) / deviation;
            a - 0.5 - t * deviation * (1.0 + z * z) / 2.0
        });
        let next = tilted(&seen.p, &constraint)?;
        let change = p.iter().zip(&next).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        p = next;
        if change < 1e-12 {
            return Some(p);
        }
    }
    None
}

/// The distribution p / (1 + x·d), where x solves Σ p·d / (1 + x·d) = 0: the most likely one for which d is 0 on
/// average. `None` unless d takes both signs, without which there is none.
fn tilted<const N: usize>(p: &[f64; N], d: &[f64; N]) -> Option<[f64; N]> {
    let least = d.iter().copied().fold(f64::INFINITY, f64::min);
    let most = d.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if !(least < 0.0 && most > 0.0) {
        return None;
    }
    // Between the poles the sum falls from +∞ to −∞.
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    for _ in 0..BISECTION_STEPS {
        let x = (low + high) / 2.0;
        let sum: f64 = p.iter().zip(d).map(|(p, d)| p * d / (1.0 + x * d)).sum();
        if sum > 0.0 { low = x } else { high = x }
    }
    let x = (low + high) / 2.0;
    let mut answer = [0.0; N];
    for i in 0..N {
        answer[i] = p[i] / (1.0 + x * d[i]);
    }
    answer.iter().all(|p| p.is_finite() && *p > 0.0).then_some(answer)
}

#[cfg(test)]
mod tests {
    use super::super::frequencies::Pentanomial;
    use super::*;

    #[test]
    fn the_most_likely_distribution_obeys_its_constraint() {
        let seen = Pentanomial::new([30, 70, 120, 60, 20]).distribution();
        for mean in [0.2, 0.45, 0.5, 0.51, 0.9] {
            let p = with_mean(&seen, mean).unwrap();
            assert!((moments(&p).0 - mean).abs() < 1e-9);
            assert!((p.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        }
        for t in [-0.4, -0.01, 0.0, 0.02, 0.3] {
            let (mean, variance) = moments(&with_t_value(&seen, t).unwrap());
            assert!(((mean - 0.5) / variance.sqrt() - t).abs() < 1e-9);
        }
    }

    #[test]
    fn what_was_seen_is_its_own_best_explanation() {
        let seen = Pentanomial::new([30, 70, 120, 60, 20]).distribution();
        let p = with_mean(&seen, seen.moments().0).unwrap();
        assert!(p.iter().zip(&seen.p).all(|(a, b)| (a - b).abs() < 1e-9));
    }
}
