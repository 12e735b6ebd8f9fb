# Part of cluster.sh: folders, passwords and configurations.

configure() {
  # The path of a UNIX socket is limited to 107 characters.
  [ ${#dir} -le 80 ] || fail "the path $dir is too long for PostgreSQL's sockets: set CLUSTER_DIR"
  mkdir -p "$dir"/{conf,log,run,backup,data/app}
  for n in "${nodes[@]}"; do mkdir -p "$dir/data/pg$n" "$dir/data/etcd$n"; done
  chmod 700 "$dir"/data/*
  # A second `up` reads the passwords and choices of the first one from cluster.env.
  [ -e "$dir/cluster.env" ] || choose >"$dir/cluster.env"
  chmod 600 "$dir/cluster.env"
  . "$dir/cluster.env"
  [ -n "${DATABASE_OWNER_URL:-}" ] || fail "$dir is from a version with one database role: wipe it first"

  local etcd_hosts app_servers pg_servers
  etcd_hosts=$(for n in "${nodes[@]}"; do echo "\"127.0.0.1:$((etcd_port + n))\""; done | paste -sd,)
  app_servers=$(for n in "${apps[@]}"; do echo "  server app$n 127.0.0.1:$((app_port + n)) check"; done)
  pg_servers=$(for n in "${nodes[@]}"; do
    echo "  server pg$n 127.0.0.1:$((pg_port + n)) check port $((rest_port + n))"
  done)

  for n in "${nodes[@]}"; do
    fill patroni.yml "N=$n" "DIR=$dir" "PG_BIN=$pg_bin" "PG_PORT=$((pg_port + n))" "REST_PORT=$((rest_port + n))" \
      "ETCD_HOSTS=$etcd_hosts" "TTL=$TTL" "SYNC=$SYNC" "SYNCHRONOUS_COMMIT=$SYNCHRONOUS_COMMIT" \
      "ARCHIVE_MODE=$ARCHIVE_MODE" "RESTORE_COMMAND=$(restore_command "$n")" \
      "SUPERUSER_PASSWORD=$SUPERUSER_PASSWORD" "REPLICATION_PASSWORD=$REPLICATION_PASSWORD" \
      "REWIND_PASSWORD=$REWIND_PASSWORD" >"$dir/conf/patroni$n.yml"
    fill pgbackrest.conf "N=$n" "DIR=$dir" "PG_PORT=$((pg_port + n))" >"$dir/conf/pgbackrest$n.conf"
  done
  for n in "${apps[@]}"; do
    fill app.env "PORT=$((app_port + n))" "HTTP_PORT=$http_port" "DIR=$dir" "DATABASE_URL=$DATABASE_URL" \
      "AUTH_SECRET=$AUTH_SECRET" >"$dir/conf/app$n.env"
  done
  printf '%s\n' "DATABASE_URL=$DATABASE_URL" "DATABASE_OWNER_URL=$DATABASE_OWNER_URL" >"$dir/conf/migrate.env"
  fill haproxy.cfg "HTTP_PORT=$http_port" "DB_PORT=$db_port" "STATS_PORT=$stats_port" "APP_SERVERS=$app_servers" \
    "PG_SERVERS=$pg_servers" >"$dir/conf/haproxy.cfg"
  echo "*:*:*:postgres:$SUPERUSER_PASSWORD" >"$dir/conf/pgpass"
  chmod 600 "$dir"/conf/*

  if [ "$(id -u)" -eq 0 ]; then
    chown -R "$user:" "$dir"
    # cluster.env belongs to the user who runs this script.
    chown root: "$dir/cluster.env"
  fi
  "${as_user[@]}" test -r "$repository/server/src/main.ts" -a -x "$dir/data" ||
    fail "the user $user cannot read $repository or $dir; put them where it can, or set CLUSTER_USER"
}

# Values that the first `up` sets permanently.
choose() {
  local superuser owner role
  superuser=$(secret) owner=$(secret) role=$(secret)
  echo "CLUSTER_URL=http://127.0.0.1:$http_port"
  for n in "${apps[@]}"; do echo "APP${n}_URL=http://127.0.0.1:$((app_port + n))"; done
  echo "DATABASE_URL=postgres://perfume_app:$role@127.0.0.1:$db_port/perfume"
  echo "DATABASE_OWNER_URL=postgres://perfume:$owner@127.0.0.1:$db_port/perfume"
  echo "SUPERUSER_URL=postgres://postgres:$superuser@127.0.0.1:$db_port/perfume"
  for n in "${nodes[@]}"; do echo "PG${n}_URL=postgres://postgres:$superuser@127.0.0.1:$((pg_port + n))/perfume"; done
  echo "AUTH_SECRET=$(secret)"
  echo "OWNER_PASSWORD=$owner"
  echo "ROLE_PASSWORD=$role"
  echo "SUPERUSER_PASSWORD=$superuser"
  echo "REPLICATION_PASSWORD=$(secret)"
  echo "REWIND_PASSWORD=$(secret)"
  echo "TTL=${CLUSTER_TTL:-20}"
  if [ "${CLUSTER_SYNC:-on}" = on ]; then
    echo 'SYNC=true SYNCHRONOUS_COMMIT=on'
  else
    echo 'SYNC=false SYNCHRONOUS_COMMIT=local'
  fi
  echo "ARCHIVE_MODE=${CLUSTER_ARCHIVE:-off}"
}

secret() {
  od -An -tx1 -N24 /dev/urandom | tr -d ' \n'
}

# fill TEMPLATE NAME=value…: prints the template with each @NAME@ replaced.
fill() {
  local text pair
  text=$(<"$here/$1")
  shift
  for pair in "$@"; do text=${text//@"${pair%%=*}"@/"${pair#*=}"}; done
  printf '%s\n' "$text"
}

# Two roles: perfume owns the database and migrates it, perfume_app is the servers'.
make_database() {
  make_role perfume "$OWNER_PASSWORD"
  make_role perfume_app "$ROLE_PASSWORD"
  superuser_sql postgres -c "select 1 from pg_database where datname = 'perfume'" | grep -q 1 ||
    superuser_sql postgres -c 'create database perfume owner perfume'
}

make_role() {
  superuser_sql postgres -c "select 1 from pg_roles where rolname = '$1'" | grep -q 1 ||
    superuser_sql postgres -c "create role $1 login password '$2'"
}

superuser_sql() {
  local database=$1
  shift
  "${as_user[@]}" "${clean_env[@]}" "$pg_bin/psql" -XAtq -v ON_ERROR_STOP=1 \
    "host=127.0.0.1 port=$((pg_port + $(leader))) user=postgres dbname=$database" "$@"
}
