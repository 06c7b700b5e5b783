"""The life of a competition as events and their fold: pure, no Django, clock or dice.

`events` is the vocabulary, `state` what a log says so far, `fold` the only thing that changes a state, and
`commands` the verbs that turn a wish into events. What each event does is told in ``docs/competitions.md``.
"""
