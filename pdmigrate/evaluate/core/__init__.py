"""The foundations of an abstract run: values, their kinds, state, budget, and the reasons why a value is unknown."""
