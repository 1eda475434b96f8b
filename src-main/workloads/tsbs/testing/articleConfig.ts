/**
 * For tests: the configuration of an article of 24 May 2021 about TimescaleDB on a Raspberry Pi 3, as a reader would paste it:
 * two of its lines are not YAML as they were printed.
 */
export const articleConfig = `data-source:
  simulator:
    debug: 0
    interleaved-generation-group-id: 0
    interleaved-generation-groups: 1
    log-interval: 10s
    max-data-points: 1000000
    scale: 40
    seed: 135
    timestamp-end: "2021-01-04T08:00:00Z"
    timestamp-start: "2021-01-01T10:00:00Z"
    use-case: cpu-only
  type: SIMULATOR
loader:
  db-specific:
    admin-db-name: postgres
    chunk-time: 4h
    create-metrics-table: true
    field-index: VALUE-TIME
    field-index-count: 0
    force-text-format: false
    host: 192.168.1.20
    in-table-partition-tag: false
    log-batches:false
    partition-index: true
    partitions: 0
    pass: "password"
    port: "5433"
    postgres: sslmode=disable
    replication-factor:0 time-index:true time-partition-index:false
    use-hypertable: true
    use-jsonb-tags: false
    user: postgres
    write-profile: ""
    write-replication-stats: ""
  runner:
    batch-size: "10000"
    channel-capacity: "0"
    db-name: benchmark
    do-abort-on-exist: false
    do-create-db: true
    do-load: true
    flow-control: false
    hash-workers: true
    insert-intervals: ""
    limit: 1000000
    reporting-period: 10s
    seed: 135
    workers: 4
  target: timescaledb
`;
