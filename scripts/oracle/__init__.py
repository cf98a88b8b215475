"""Judges that owe nothing to the engine: moves and repetitions by pyffish, chases by the articles written out once more."""
