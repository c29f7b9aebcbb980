"""The blind trial of encoders with a person (Fain et al. 2021, section 3.2)."""
