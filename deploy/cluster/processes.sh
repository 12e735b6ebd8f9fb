# Part of cluster.sh: starting, finding and stopping the cluster's processes.

start_etcd() {
  local n=$1 peers
  peers=$(for i in "${nodes[@]}"; do echo "etcd$i=http://127.0.0.1:$((peer_port + i))"; done | paste -sd,)
  # These are etcd's defaults, written out because they matter: when the lost machine was also the etcd leader, the election
  # renews the dead primary's lease, so it lasts one election timeout longer.
  run "etcd$n" etcd --name "etcd$n" --data-dir "$dir/data/etcd$n" \
    --listen-client-urls "http://127.0.0.1:$((etcd_port + n))" \
    --advertise-client-urls "http://127.0.0.1:$((etcd_port + n))" \
    --listen-peer-urls "http://127.0.0.1:$((peer_port + n))" \
    --initial-advertise-peer-urls "http://127.0.0.1:$((peer_port + n))" \
    --initial-cluster "$peers" --initial-cluster-token perfume \
    --heartbeat-interval 100 --election-timeout 1000 \
    --auto-compaction-mode periodic --auto-compaction-retention 1h
}

start_node() {
  run "patroni$1" patroni "$dir/conf/patroni$1.yml"
}

start_haproxy() {
  run haproxy haproxy -db -f "$dir/conf/haproxy.cfg"
}

# Without its database a server exits at startup. Like systemd, this restarts it until it stays up.
start_app() {
  local node
  node=$(node24)
  within 90 "app server $1 does not answer; see $dir/log/app$1.log" app_stays "$1" "$node"
}

# The servers do not have the owner's password, so the tables are created and changed here. HAProxy may need a moment to
# find the primary.
migrate() {
  "${as_user[@]}" "${clean_env[@]}" "$(node24)" "--env-file=$dir/conf/migrate.env" \
    "$repository/server/src/programs/migrate.ts" >>"$dir/log/migrate.log" 2>&1
}

app_stays() {
  answers "http://127.0.0.1:$((app_port + $1))/healthz" && return 0
  run "app$1" "$2" "--env-file=$dir/conf/app$1.env" "$repository/server/src/main.ts"
  return 1
}

# The Node that `npm start` would use: the installed one if it is version 24, else the downloaded one.
node24() {
  node --input-type=module -e "
    const { findNode } = await import('$repository/scripts/node24.mjs');
    const node = findNode();
    if (!node) process.exit(1);
    console.log(node.path);" || fail 'there is no Node 24; npm run build fetches it'
}

# run NAME COMMAND…: runs in the background as the unprivileged user, in its own session and environment.
run() {
  local name=$1
  shift
  if [ -n "$(pid_of "$name")" ]; then return 0; fi
  (
    cd "$dir"
    exec setsid "${as_user[@]}" "${clean_env[@]}" "$@" >>"$dir/log/$name.log" 2>&1 </dev/null
  ) &
  echo $! >"$dir/run/$name.pid"
}

# Prints the process id only while that process is ours, because the system reuses ids.
pid_of() {
  local pid
  pid=$(cat "$dir/run/$1.pid" 2>/dev/null) || return 0
  if is_ours "$pid"; then echo "$pid"; fi
}

is_ours() {
  [ -n "$1" ] && grep -qsF "$dir" "/proc/$1/cmdline" "/proc/$1/environ"
}

# The postmaster and all its children.
postgres_pids() {
  local postmaster
  postmaster=$(head -1 "$dir/data/pg$1/postmaster.pid" 2>/dev/null) || return 0
  if is_ours "$postmaster"; then echo "$postmaster" $(pgrep -P "$postmaster"); fi
}

pids_of() {
  case $1 in
    haproxy) pid_of haproxy ;;
    app) pid_of "app$2" ;;
    etcd) pid_of "etcd$2" ;;
    # Only the postmaster: its children notice, as when the kernel kills it.
    postgres) postgres_pids "$2" | cut -d' ' -f1 ;;
    node) pid_of "patroni$2" && postgres_pids "$2" ;;
    machine) pids_of node "$2" && pids_of etcd "$2" && pids_of app "$2" ;;
  esac
}

signal() {
  local name=$1
  shift
  # In one call, so that no process can tell the others.
  if [ $# -gt 0 ] && [ -n "$1" ]; then kill "-$name" $* 2>/dev/null || true; fi
}

# stop NAME…: sends SIGTERM, and SIGKILL after half a minute.
stop() {
  local name
  for name in "$@"; do signal TERM "$(pid_of "$name")"; done
  for name in "$@"; do
    for _ in $(seq 300); do
      [ -n "$(pid_of "$name")" ] || break
      sleep 0.1
    done
    signal KILL "$(pid_of "$name")"
    rm -f "$dir/run/$name.pid"
  done
}

answers() {
  curl -fs -m 2 -o /dev/null "$1"
}

# An etcd member reports healthy only while it sees a majority.
etcd_is_healthy() {
  local n
  for n in "${nodes[@]}"; do
    answers "http://127.0.0.1:$((etcd_port + n))/health" && return 0
  done
  return 1
}

# within SECONDS 'error message' COMMAND…: retries the command until it succeeds or the time is over.
within() {
  local until=$((SECONDS + $1)) message=$2
  shift 2
  until "$@"; do
    [ $SECONDS -lt $until ] || fail "$message"
    sleep 0.2
  done
}
