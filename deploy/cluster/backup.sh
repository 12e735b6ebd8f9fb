# Part of cluster.sh: backup and point-in-time restore with pgBackRest.

# Without an archive there is nothing to fetch, so the command is empty.
restore_command() {
  if [ "$ARCHIVE_MODE" = off ]; then echo '""'; else echo "$(archive_command "$1" archive-get) %f \"%p\""; fi
}

archive_command() {
  echo "pgbackrest --config=$dir/conf/pgbackrest$1.conf --stanza=perfume $2"
}

backup() {
  local n
  requires_archive
  n=$(leader) || fail 'there is no primary to back up'
  backrest "$n" stanza-create
  # Checks the archive with one WAL file: a backup without its WAL cannot be restored.
  backrest "$n" check
  backrest "$n" --type=full backup
  backrest "$n" info
}

# Restores the primary's backup on node 1, recovers it to the given time and promotes it. The other nodes copy it.
restore() {
  local moment=$1
  [ -n "$moment" ] || fail "to which moment? e.g. restore '2026-03-01 12:00:00+00'"
  requires_archive
  # A clean shutdown also archives the last WAL segment.
  stop app1 app2
  stop patroni1 patroni2 patroni3
  backrest 1 --delta --type=time "--target=$moment" --target-action=promote restore

  # First without Patroni: PostgreSQL recovers from the archive to the given time and then becomes the primary.
  postgres_alone start
  within 600 'the moment was not reached; is it after the first backup and before now?' has_recovered
  postgres_alone stop

  # etcd and the other nodes still hold the old timeline.
  etcd_forgets
  rm -rf "$dir"/data/pg{2,3}/*
  # The servers remember a newer checkpoint, and would sign none that does not continue it.
  rm -f "$dir/data/app/last-checkpoint"
  up
}

requires_archive() {
  . "$dir/cluster.env"
  [ "$ARCHIVE_MODE" = on ] || fail 'this cluster keeps no archive: CLUSTER_ARCHIVE=on at the first `up` makes one that does'
}

backrest() {
  local n=$1
  shift
  "${as_user[@]}" "${clean_env[@]}" pgbackrest "--config=$dir/conf/pgbackrest$n.conf" --stanza=perfume "$@"
}

# The restored folder has the settings of the node that was backed up, so this overrides what differs.
postgres_alone() {
  local settings=(
    "-c port=$((pg_port + 1))" "-c unix_socket_directories=$dir/run"
    "-c hba_file=$dir/data/pg1/pg_hba.conf" "-c ident_file=$dir/data/pg1/pg_ident.conf"
    "-c synchronous_standby_names=" "-c archive_command='$(archive_command 1 archive-push) %p'"
  )
  "${as_user[@]}" "${clean_env[@]}" "$pg_bin/pg_ctl" "$1" -w -t 600 -D "$dir/data/pg1" -l "$dir/log/restore.log" \
    -o "${settings[*]}" >/dev/null
}

has_recovered() {
  [ "$("${as_user[@]}" "${clean_env[@]}" "$pg_bin/psql" -XAtq -h 127.0.0.1 -p $((pg_port + 1)) -U postgres postgres \
    -c 'select pg_is_in_recovery()' 2>/dev/null)" = f ]
}

etcd_forgets() {
  ETCDCTL_API=3 etcdctl --endpoints "127.0.0.1:$((etcd_port + 1))" del --prefix /service/perfume/ >/dev/null
}
