import { quote } from '../quote.ts';

/** How long and how much is measured on the disk. */
export interface DiskLimits {
  /** Seconds for each direction of the sequential measurement, at most. */
  sequentialSeconds: number;
  /** Seconds for each of the others. */
  seconds: number;
  /** Size of the one file that is used. */
  megabytes: number;
}

/**
 * Measures with one file in a folder of its own, which goes when the script ends, whatever ends it: a signal, the end of
 * the connection, an error. It lies on the file system of `folder`, wherever there this user may write.
 *
 * Reads go past the memory (O_DIRECT); where the file system has no such thing, the file's pages are dropped first. perl is
 * part of every Debian (perl-base is essential there); fio and PostgreSQL need not be there.
 */
export function diskScript(mark: string, folder: string, limits: DiskLimits): string {
  const { sequentialSeconds, seconds, megabytes } = limits;
  return `# Measures the disk under a folder with one temporary file.
export LC_ALL=C PATH="$PATH:/usr/local/sbin:/usr/sbin:/sbin"
mark=${mark} folder=${quote(folder)} dir= child=
item() {
  name=$1; shift
  printf '\\n%s begin %s\\n' "$mark" "$name"
  "$@" </dev/null 2>&1 & child=$!
  wait "$child"; code=$?; child=
  printf '\\n%s end %s %d\\n' "$mark" "$name" "$code"
  return "$code"
}
trap '[ -z "$child" ] || kill "$child" 2>/dev/null; wait; [ -z "$dir" ] || rm -rf -- "$dir"' EXIT
trap 'exit 143' HUP INT TERM PIPE
while [ ! -d "$folder" ]; do folder=$(dirname -- "$folder"); done
why=
for d in "$folder" "$HOME" /var/tmp /tmp; do
  [ -w "$d" ] && [ "$(stat -c %d -- "$d")" = "$(stat -c %d -- "$folder")" ] || continue
  made=$(mktemp -d -- "$d/.benchberry-check-XXXXXX" 2>&1) && dir=$made && break
  why="$why $made"
done
place() { echo "$why"; [ -n "$dir" ]; }
item place place || exit 0
file=$dir/probe
item space df -PB1 "$dir"
item mount findmnt -no SOURCE,FSTYPE,TARGET -T "$dir"
item lsblk lsblk -b
disks() { for b in /sys/block/*; do read -r size < "$b/size"; type=; [ -r "$b/device/type" ] && read -r type < "$b/device/type"; echo "\${b##*/}|$size|$type|$(readlink -f "$b")"; done; }
item disks disks
free=$(df -PB1 "$dir" | awk 'NR == 2 { printf "%.0f", $4 / 1048576 }')
item room test "\${free:-0}" -ge ${megabytes * 2} || exit 0
item write timeout -k 5 -s INT ${sequentialSeconds} dd if=/dev/zero of="$file" bs=1M count=${megabytes} oflag=direct conv=fsync ||
  { [ "$code" != 1 ] || item write-cached timeout -k 5 -s INT ${sequentialSeconds} dd if=/dev/zero of="$file" bs=1M count=${megabytes} conv=fsync; }
sync "$file" 2>/dev/null
forget() { dd if="$file" iflag=nocache count=0 2>/dev/null; }
read_all() { item read timeout -k 5 -s INT ${sequentialSeconds} dd if="$file" of=/dev/null bs=1M "$@"; }
read_all iflag=direct || [ "$code" != 1 ] || { forget; read_all; }
test_fsync=$(ls -d /usr/lib/postgresql/*/bin/pg_test_fsync 2>/dev/null | sort -V | tail -n 1)
[ -z "$test_fsync" ] || item pg-test-fsync timeout -k 2 $((${seconds} * 3)) sh -c \
  "stdbuf -oL '$test_fsync' -s ${seconds} -f '$dir/fsync' | sed '/^ *fdatasync  /q'"
rm -f "$dir/fsync"
probe=$(cat <<'${mark}'
${perlProbe}
${mark}
)
for kind in fsync random-write random-read; do
  forget; item "$kind" timeout -k 5 $((${seconds} * 3)) perl -e "$probe" "$kind" "$file" ${seconds}
done`;
}

/**
 * Times single operations of 8 kB (a page of PostgreSQL's) for so many seconds: writing with O_DSYNC one after another
 * through the file, as a WAL is written; the same at random places; reading at random places, each once. O_DIRECT wants its
 * memory aligned. clock_gettime goes by its number, since Time::HiRes is not part of perl-base.
 */
const perlProbe = `use strict; use Fcntl; use Config;
my %numbers = (x86_64 => 228, aarch64 => 113, arm => 263, i386 => 265, i686 => 265, riscv64 => 113);
my ($cpu) = split /-/, $Config{archname};
my $number = $numbers{$cpu} or die "no clock known on $cpu\\n";
sub now { my $t = pack 'l!l!', 0, 0; syscall($number, 1, $t) == 0 or die "clock: $!\\n"; my ($s, $n) = unpack 'l!l!', $t; $s * 1e6 + $n / 1e3 }
my ($kind, $file, $seconds) = @ARGV;
my $flags = $kind eq 'random-read' ? O_RDONLY | O_DIRECT : O_WRONLY | O_DSYNC;
my $open = sysopen my $f, $file, $flags;
$open or sysopen $f, $file, $flags & ~O_DIRECT or die "$file: $!\\n";
my $pages = int((-s $file) / 8192) or die "the file is empty\\n";
my ($page, $next, @took) = ('x' x 16384, 0);
my $aligned = -unpack('J', pack 'p', $page) & 4095;
my @places = 0 .. $pages - 1;
if ($kind ne 'fsync') { for (my $i = @places; --$i;) { my $j = int rand $i + 1; @places[$i, $j] = @places[$j, $i] } }
my $start = now();
for (my $at = $start; $at - $start < $seconds * 1e6;) {
  last if $kind eq 'random-read' && $next == $pages;
  my $place = $places[$next++ % $pages];
  sysseek $f, $place * 8192, 0;
  ($kind eq 'random-read' ? sysread $f, $page, 8192, $aligned : syswrite $f, $page, 8192) or die "$kind: $!\\n";
  my $end = now(); push @took, $end - $at; $at = $end;
}
my @sorted = sort { $a <=> $b } @took;
my $rank = sub { $sorted[int($_[0] * $#sorted + 0.5)] };
my $sum = 0; $sum += $_ for @took;
printf "count=%d mean=%.1f median=%.1f p95=%.1f max=%.1f\\n", scalar @took, $sum / @took, $rank->(0.5), $rank->(0.95), $sorted[-1];`;
