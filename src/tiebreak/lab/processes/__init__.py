"""Helpers and children: every cell runs in a process that can be killed and that costs milliseconds to make.

Three kinds of process take part.

- The *driver* runs the plan and writes the store. It starts helpers with `subprocess`, sends them data sets and tasks.
- A *helper* is a fresh, single-threaded interpreter that has loaded the learners' libraries and keeps the data sets it
  was sent. It runs no learner itself: it makes one *child* per task, watches its time and memory, and reports.
- A *child* runs the cells of one task, one after the other. It is forked from the helper or, where forking is not
  possible, a fresh interpreter.

What travels down (data sets, tasks) is pickled by the driver for its own helpers; what travels up (numbers and text) is
JSON, so nothing that a learner could have touched is ever unpickled, and no pickle is read from a store or a file.

What a learner costs is the CPU time and the memory of its child and all processes below it: `costs` reads them in the
child and, from outside, in the helper, and compares the two.

`helper_program` and `child_program` are what runs in the processes, `lab/helper_pool.py` and `child_process` how their
parents see them; `task_supervisor` enforces the limits; `messages` and `operating_system` are what all
stand on.
"""
