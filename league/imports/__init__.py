"""What organisers bring along: files read into rows, and rows told apart into what each would do."""
