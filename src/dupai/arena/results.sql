-- The tables of a results file, in the order in which versions brought them.
create table runs (
    id integer primary key,
    kind text not null,
    started text not null,
    finished text,
    config text not null,
    version text not null,
    blocks integer not null,
    result text
) strict;
create table blocks (
    run integer not null references runs (id),
    block integer not null,
    written text not null,
    data text not null,
    primary key (run, block)
) strict, without rowid;
create table checkpoints (
    run integer not null references runs (id),
    block integer not null,
    written text not null,
    data blob not null,
    primary key (run, block)
) strict, without rowid;
