^IllegalMove$:
    class IllegalMove(ValueError):
        illegal: Illegal

^SetupError$:
    class SetupError(ValueError): ...
