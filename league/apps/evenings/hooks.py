"""Where evenings take part."""

from league.words import reference

reference.COVERAGE.append(reference.Covered("evenings.Evening", reference.ALL, "not", reference.OUTSIDE))
