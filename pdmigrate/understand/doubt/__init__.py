"""What a program does to its SDK behind the back of those who read it: what of it makes which claim doubtful.

The claims about a server come from following what registers and lists its tools.  This room asks the opposite question
of the same files, by name and without following anything: where is a class, a server, a manager, a handler or a setting
of the SDK touched in a way that nobody models?  Each such place is a ``Doubt``, and ``doubted`` takes back what it may
make wrong.  It errs on the side of doubt; it never adds a claim.
"""
