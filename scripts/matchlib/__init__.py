"""What the scripts share: engine clients, the referee, openings, and match statistics."""
