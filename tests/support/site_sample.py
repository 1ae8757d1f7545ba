"""A hand of a poker site with a showdown."""

SHOWDOWN = """\
PokerStars Hand #228695023643:  Hold'em No Limit ($0.25/$0.50 USD) - 2021/07/30 21:15:40 ET
Table 'Actor II' 9-max Seat #4 is the button
Seat 3: Ann B ($23.67 in chips)
Seat 4: Bob ($20.50 in chips)
Seat 5: C:d (x) ($52.81 in chips)
Seat 6: Dee ($54.14 in chips)
C:d (x): posts small blind $0.25
Dee: posts big blind $0.50
*** HOLE CARDS ***
Dealt to Bob [7c 7d]
Ann B: calls $0.50
Bob: folds
C:d (x): folds
Dee: checks
*** FLOP *** [Ks Ac Ad]
Dee: checks
Ann B: checks
*** TURN *** [Ks Ac Ad] [5s]
Dee: bets $0.89
Ann B: calls $0.89
*** RIVER *** [Ks Ac Ad 5s] [Qh]
Dee: checks
Ann B: checks
*** SHOW DOWN ***
Dee: shows [6s 4s] (a pair of Aces)
Ann B: shows [Qd Tc] (two pair, Aces and Queens)
Ann B collected $2.88 from pot
*** SUMMARY ***
Total pot $3.03 | Rake $0.15
Board [Ks Ac Ad 5s Qh]
Seat 3: Ann B showed [Qd Tc] and won ($2.88) with two pair, Aces and Queens
Seat 4: Bob (button) folded before Flop (didn't bet)
Seat 5: C:d (x) (small blind) folded before Flop
Seat 6: Dee (big blind) showed [6s 4s] and lost with a pair of Aces
"""
