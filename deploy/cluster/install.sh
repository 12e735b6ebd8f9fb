#!/usr/bin/env bash
# Installs the missing Debian packages for the cluster. Without root it only lists them.
set -euo pipefail

wanted=(patroni python3-etcd etcd-server etcd-client haproxy postgresql-15 pgbackrest curl)
missing=()
for package in "${wanted[@]}"; do
  dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

if [ "$(id -u)" -ne 0 ]; then
  echo "Not installed: ${missing[*]}. As root: apt-get install ${missing[*]}" >&2
  exit 1
fi

# Keeps Debian from starting the services: cluster.sh starts them with its own ports and folders.
policy=/usr/sbin/policy-rc.d
if [ ! -e $policy ]; then
  trap 'rm -f $policy' EXIT
  printf '#!/bin/sh\nexit 101\n' >$policy
  chmod 755 $policy
fi
# Keeps Debian from creating a database cluster.
mkdir -p /etc/postgresql-common
[ -e /etc/postgresql-common/createcluster.conf ] || echo 'create_main_cluster = false' >/etc/postgresql-common/createcluster.conf

echo "Installing ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
