/**
 * The sampler: POSIX shell, sent as standard input to `sh -s -- PATH SECONDS` on the host, where it prints one line of raw
 * counters every SECONDS until its reader is gone. Nothing is installed and nothing is written there.
 *
 * It is made to cost little: what is read each time is read by the shell's own `read`, which asks the kernel for one byte
 * at a time, so small files are preferred (/sys/block/NAME/stat over /proc/diskstats) and a file is left as soon as the
 * wanted line was seen. The one process a second is `sleep`; vcgencmd is asked for two things every fifth time, df every
 * tenth. What it costs is measured in e2e/pi-lab/health.lab.ts and told in docs/HEALTH.md.
 *
 * Lines, `-` where the host does not tell:
 *
 *     H1|boot id|page size|disk|network device
 *     S1|uptime|loadavg|cpu line of /proc/stat|MemTotal,MemAvailable,SwapTotal,SwapFree kB|pswpin,pswpout
 *       |/sys/block/…/stat|rx,tx bytes|m°C|kHz|under-voltage alarm|get_throttled|measure_clock|free kB|pressure cpu;io;memory
 *
 * The disk is the whole device under PATH; where that is no block device (an overlay), the machine's only disk. The
 * network device is the one this connection arrives by.
 */
export const samplerScript = String.raw`exec 2>/dev/null
LC_ALL=C; export LC_ALL
path=$1 seconds=$2 n=0
r() { v=; IFS= read -r v < "$1" || [ -n "$v" ] || v=-; }

# The folder may not be there yet, or closed to this user: the disk is that of the next one above it.
while [ "$path" != / ] && [ ! -d "$path" ]; do case $path in */*) path=${'$'}{path%/*}; path=${'$'}{path:-/};; *) path=/;; esac; done

# Filesystem 1024-blocks Used Available Capacity Mounted on, then the same of the path.
set -f; set -- $(df -Pk -- "$path"); set +f
mount=${'$'}{13:-/} numbers=-
while read -r _ _ mm _ mp _; do [ "$mp" = "$mount" ] && numbers=$mm; done < /proc/self/mountinfo
disk=-
if [ -e "/sys/dev/block/$numbers" ]; then
  d=$(readlink -f "/sys/dev/block/$numbers")
  [ -e "$d/partition" ] && d=${'$'}{d%/*}
  disk=${'$'}{d##*/}
else
  for d in /sys/block/mmcblk? /sys/block/nvme?n? /sys/block/sd? /sys/block/vd?; do
    [ -e "$d/stat" ] || continue
    [ "$disk" = - ] || { disk=-; break; }
    disk=${'$'}{d##*/}
  done
fi

net=-
set -- $(ip route get "${'$'}{SSH_CONNECTION%% *}")
while [ $# -gt 1 ]; do [ "$1" = dev ] && net=$2; shift; done
[ "$net" != - ] && [ "$net" != lo ] || while read -r name to _; do
  [ "$to" = 00000000 ] && net=$name && break
done < /proc/net/route

zone=/sys/class/thermal/thermal_zone0
for z in /sys/class/thermal/thermal_zone*; do
  r "$z/type"; case $v in cpu-thermal|cpu_thermal) zone=$z; break;; esac
done
alarm=-
for h in /sys/class/hwmon/hwmon*; do r "$h/name"; [ "$v" = rpi_volt ] && alarm=$h/in0_lcrit_alarm; done
tool=$(command -v vcgencmd)

r /proc/sys/kernel/random/boot_id
printf 'H1|%s|%s|%s|%s\n' "$v" "$(getconf PAGESIZE || echo -)" "$disk" "$net" || exit 0
while :; do
  r /proc/uptime; up=$v; r /proc/loadavg; la=$v; r /proc/stat; cpu=$v
  mt=- ma=- st=- sf=-
  while read -r k v _; do case $k in
    MemTotal:) mt=$v;; MemAvailable:) ma=$v;; SwapTotal:) st=$v;; SwapFree:) sf=$v; break;;
  esac; done < /proc/meminfo
  si=- so=-
  while read -r k v; do case $k in pswpin) si=$v;; pswpout) so=$v; break;; esac; done < /proc/vmstat
  r "/sys/block/$disk/stat"; ds=$v
  r "/sys/class/net/$net/statistics/rx_bytes"; rx=$v; r "/sys/class/net/$net/statistics/tx_bytes"; tx=$v
  r "$zone/temp"; t=$v; r /sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq; f=$v; r "$alarm"; uv=$v
  r /proc/pressure/cpu; pc=$v; r /proc/pressure/io; pi=$v; r /proc/pressure/memory; pm=$v
  th=- ck=- fr=-
  if [ -n "$tool" ]; then case $((n % 5)) in
    0) th=$("$tool" get_throttled);; 2) ck=$("$tool" measure_clock arm);;
  esac; fi
  # Its errors come on standard output too, in lines of their own.
  case $th in *[!A-Za-z0-9=]*) th=-;; esac
  case $ck in *[!A-Za-z0-9=\(\)]*) ck=-;; esac
  if [ $((n % 10)) -eq 0 ]; then set -f; set -- $(df -Pk -- "$path"); set +f; fr=${'$'}{11:--}; fi
  printf 'S1|%s|%s|%s|%s,%s,%s,%s|%s,%s|%s|%s,%s|%s|%s|%s|%s|%s|%s|%s;%s;%s\n' "$up" "$la" "$cpu" \
    "$mt" "$ma" "$st" "$sf" "$si" "$so" "$ds" "$rx" "$tx" "$t" "$f" "$uv" "$th" "$ck" "$fr" "$pc" "$pi" "$pm" || exit 0
  n=$((n + 1))
  sleep "$seconds"
done
`;
