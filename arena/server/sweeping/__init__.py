"""Sweeps that researchers launch: on file (`book`), in turn (`keeper`), each in a process of its own
(`process`), and the calls about them (`calls`)."""
