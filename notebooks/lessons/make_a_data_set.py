"""Tools of lesson 10, Make a data set."""

from .intervals import exact_interval
from .is_it_better import interval_chart
from .make_a_data_set_exercises import check_1, check_2, check_3, check_4, check_5
from .make_a_data_set_noise import LEVELS, draw_noise, noise, noise_rows, pool_tasks
from .make_a_data_set_scores import POOL, Answered, answer_file, answer_table
from .make_a_data_set_world import (
    command,
    drop_zeros,
    fill,
    known,
    pair_table,
    read_pairs,
    read_tasks,
    report_table,
    statistics,
    write_wikis,
)
from .your_experiment import workspace

__all__ = [
    "LEVELS",
    "POOL",
    "Answered",
    "answer_file",
    "answer_table",
    "check_1",
    "check_2",
    "check_3",
    "check_4",
    "check_5",
    "command",
    "draw_noise",
    "drop_zeros",
    "exact_interval",
    "fill",
    "interval_chart",
    "known",
    "noise",
    "noise_rows",
    "pair_table",
    "pool_tasks",
    "read_pairs",
    "read_tasks",
    "report_table",
    "statistics",
    "workspace",
    "write_wikis",
]
