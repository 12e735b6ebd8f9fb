#!/usr/bin/env bash
# Three PostgreSQL nodes under Patroni, three etcd members, HAProxy and two app servers on this machine.
# README.md in this folder lists the commands, ports and files.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
repository=$(cd "$here/../.." && pwd)
dir=${CLUSTER_DIR:-$repository/.cluster}
dir=$(realpath -m "$dir")
port=${CLUSTER_PORT:-21500}
pg_bin=/usr/lib/postgresql/15/bin
nodes=(1 2 3)
apps=(1 2)
parts=(haproxy app1 app2 patroni1 patroni2 patroni3 etcd1 etcd2 etcd3)

http_port=$port app_port=$port stats_port=$((port + 5))
db_port=$((port + 10)) pg_port=$((port + 10)) rest_port=$((port + 20)) etcd_port=$((port + 30)) peer_port=$((port + 40))

fail() {
  echo "cluster: $*" >&2
  exit 1
}

# PostgreSQL refuses to run as root, and nothing else here needs it.
if [ "$(id -u)" -eq 0 ]; then
  user=${CLUSTER_USER:-postgres}
  as_user=(setpriv "--reuid=$user" "--regid=$user" --clear-groups --inh-caps=-all)
else
  user=$(id -un)
  as_user=()
fi
clean_env=(env -i "HOME=$dir" LANG=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin "PGPASSFILE=$dir/conf/pgpass")

. "$here/processes.sh"
. "$here/configure.sh"
. "$here/backup.sh"

up() {
  "$here/install.sh"
  if [ "${CLUSTER_BUILD:-on}" = on ]; then (cd "$repository" && npm run --silent build); fi
  configure
  for n in "${nodes[@]}"; do start_etcd "$n"; done
  within 30 'etcd has no quorum' etcd_is_healthy
  start_haproxy
  # On the first start node 1 creates the database and the others copy it. Later the last primary must be among them.
  start_node 1
  if [ ! -e "$dir/data/pg3/PG_VERSION" ]; then within 60 'no node became primary' leader >/dev/null; fi
  for n in 2 3; do start_node "$n"; done
  within 90 'no node became primary' leader >/dev/null
  within 90 'no synchronous standby appeared' has_standby
  make_database
  within 30 'the database was not migrated' migrate
  # One after the other: the first server seeds the demo, the second finds that done.
  for n in "${apps[@]}"; do start_app "$n"; done
  within 30 'the front door does not answer' answers "http://127.0.0.1:$http_port/readyz"
  echo "The cluster is running at http://127.0.0.1:$http_port"
}

down() {
  local part
  for part in "${parts[@]}"; do signal CONT "$(pid_of "$part")"; done
  for n in "${nodes[@]}"; do signal CONT $(postgres_pids "$n"); done
  # From the outside in. etcd stops last, because the nodes need it to release the leader lock.
  stop haproxy app1 app2
  stop patroni1 patroni2 patroni3
  for n in "${nodes[@]}"; do signal KILL $(postgres_pids "$n"); done
  stop etcd1 etcd2 etcd3
}

wipe() {
  [ -e "$dir" ] || return 0
  [ -e "$dir/cluster.env" ] || fail "$dir is no cluster of ours"
  down
  rm -rf "$dir"
}

status() {
  # Without etcd patronictl would wait forever.
  if etcd_is_healthy; then patronictl_here list; else echo 'etcd has no quorum'; fi
  echo
  for n in "${nodes[@]}"; do
    printf 'etcd%s  %s\n' "$n" "$(answers "http://127.0.0.1:$((etcd_port + n))/health" && echo healthy || echo down)"
  done
  echo
  curl -fsS -m 2 "http://127.0.0.1:$stats_port/;csv" 2>/dev/null |
    awk -F, '$2 !~ /FRONTEND|BACKEND|svname/ { printf "%-8s %-5s %s\n", $1, $2, $18 }' || echo 'HAProxy: down'
}

# Asks Patroni on each node, because what etcd says alone may be outdated.
leader() {
  local n
  for n in "${nodes[@]}"; do
    if answers "http://127.0.0.1:$((rest_port + n))/primary"; then
      echo "$n"
      return 0
    fi
  done
  return 1
}

has_standby() {
  local n path=sync
  if [ "$SYNC" = false ]; then path=replica; fi
  for n in "${nodes[@]}"; do
    answers "http://127.0.0.1:$((rest_port + n))/$path" && return 0
  done
  return 1
}

switchover() {
  local from said to=()
  from=$(leader) || fail 'there is no primary to take over from'
  if [ -n "${1:-}" ]; then to=(--candidate "pg$1"); fi
  said=$(patronictl_here switchover perfume --master "pg$from" "${to[@]}" --scheduled now --force 2>&1) || fail "$said"
  # patronictl reports a refusal only in its output, such as a candidate that is not the synchronous standby.
  if [[ $said != *'Successfully switched over'* ]]; then fail "$said"; fi
  within 30 'no node became primary' leader >/dev/null
}

patronictl_here() {
  "${as_user[@]}" "${clean_env[@]}" timeout 60 patronictl -c "$dir/conf/patroni1.yml" "$@"
}

# kill-, stop-, start-, freeze-, thaw- and pids- take a component and its number: kill-node 2.
on_part() {
  local verb=${1%%-*} part=${1#*-} n=${2:-}
  case $part in
    haproxy) ;;
    node | postgres | etcd | machine) [[ $n =~ ^[123]$ ]] || fail "$1 takes a number from 1 to 3" ;;
    app) [[ $n =~ ^[12]$ ]] || fail "$1 takes 1 or 2" ;;
    *) usage ;;
  esac
  case $verb in
    start)
      case $part in
        postgres) fail "the Patroni of node $n starts it; or start-node $n" ;;
        machine) start_etcd "$n" && start_node "$n" && if [ "$n" -le 2 ]; then start_app "$n"; fi ;;
        *) "start_$part" "$n" ;;
      esac
      ;;
    stop)
      case $part in
        node) stop "patroni$n" ;;
        app | etcd | haproxy) stop "$part$n" ;;
        *) fail "$part is not stopped by itself" ;;
      esac
      ;;
    pids) pids_of "$part" "$n" | xargs ;;
    *)
      local pids
      pids=$(pids_of "$part" "$n")
      [ -n "$pids" ] || fail "$part $n does not run"
      case $verb in
        kill) signal KILL $pids ;;
        freeze) signal STOP $pids ;;
        thaw) signal CONT $pids ;;
      esac
      ;;
  esac
}

usage() {
  sed -n '/^## Verbs/,/^## Settings/s/^| \(`[^|]*\) | \(.*\) |$/\1\n    \2/p' "$here/README.md" >&2
  exit 2
}

case ${1:-} in
  up | down | wipe | status | leader | backup) "$1" ;;
  switchover | restore) "$1" "${2:-}" ;;
  kill-* | stop-* | start-* | freeze-* | thaw-* | pids-*) on_part "$@" ;;
  *) usage ;;
esac
