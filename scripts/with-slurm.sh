#!/usr/bin/env bash
# Runs a command with a Slurm cluster of one node: this machine. The cluster ends with the command.
#
#   scripts/with-slurm.sh COMMAND [ARGUMENT ...]
#
# Needs the package slurm-wlm of Debian. All files are in a temporary folder, and the daemons run as
# the user who calls, so a cluster that is already there is left alone.
set -euo pipefail
[ $# -gt 0 ] || { sed -n '2,7s/^# \{0,1\}//p' "$0" >&2; exit 2; }
PATH=$PATH:/usr/sbin:/sbin
folder=$(mktemp -d)
host=$(hostname -s)
finish() {
    for daemon in slurmd slurmctld munged; do
        if [ -s "$folder/$daemon.pid" ]; then
            pid=$(cat "$folder/$daemon.pid")
            kill "$pid" 2>/dev/null || true
            # The daemons are no children of this shell, so `wait` does not know them.
            for _ in $(seq 100); do kill -0 "$pid" 2>/dev/null && sleep 0.1; done
        fi
    done
    rm -rf "$folder"
}
trap finish EXIT
# Two ports that are free now: other clusters of this kind may run at the same time.
read -r controller node < <(python3 -c '
import socket
sockets = [socket.socket() for _ in range(2)]
for own in sockets: own.bind(("127.0.0.1", 0))
print(*[own.getsockname()[1] for own in sockets])')
mkdir "$folder/state" "$folder/spool"
head -c 1024 /dev/urandom >"$folder/munge.key"
chmod 600 "$folder/munge.key"
cat >"$folder/slurm.conf" <<CONFIG
ClusterName=hornwork
SlurmctldHost=$host(127.0.0.1)
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthType=auth/munge
AuthInfo=socket=$folder/munge.socket
CredType=cred/munge
SlurmctldPort=$controller
SlurmdPort=$node
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/affinity
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
ReturnToService=2
MinJobAge=2
SchedulerParameters=sched_min_interval=0
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) RealMemory=$(awk '/MemTotal/ { print int($2 / 1024) - 512 }' /proc/meminfo)
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONFIG
export SLURM_CONF=$folder/slurm.conf
show() { cat "$folder"/*.log >&2; echo "with-slurm: the cluster does not start" >&2; exit 1; }
munged --force --key-file="$folder/munge.key" --socket="$folder/munge.socket" \
    --pid-file="$folder/munged.pid" --log-file="$folder/munged.log" --seed-file="$folder/munge.seed" || show
slurmctld -f "$SLURM_CONF" -c || show
slurmd -f "$SLURM_CONF" || show
for _ in $(seq 300); do
    sinfo --noheader --format=%t 2>/dev/null | grep -q idle && break
    sleep 0.1
done
sinfo --noheader --format=%t | grep -q idle || show
"$@"
