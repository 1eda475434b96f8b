/**
 * Shell text that sets `networks`: those of the device that the workbench's SSH connection arrives by (it may come by IPv4
 * now and by IPv6 later), and the workbench's own address where a router is in between. sudo drops $SSH_CONNECTION, the
 * processes above it still have it.
 */
export const workbenchNetworks = `connection=\${SSH_CONNECTION:-}
process=$$
while [ -z "$connection" ] && [ "\${process:-0}" -gt 1 ]; do
  connection=$(tr '\\0' '\\n' < "/proc/$process/environ" 2>/dev/null | sed -n 's/^SSH_CONNECTION=//p')
  process=$(sed -n 's/^PPid:[[:space:]]*//p' "/proc/$process/status" 2>/dev/null)
done
if [ -z "$connection" ]; then
  echo 'Which network the workbench is in cannot be seen: sign in by SSH.' >&2
  exit 1
fi
client=\${connection%% *}
zone=\${client#*%}
client=\${client%%%*}
client=\${client#::ffff:}
case $client in
  *:*) whole=$client/128 ;;
  *) whole=$client/32 ;;
esac
if [ "$zone" != "$client" ] && [ -d "/sys/class/net/$zone" ]; then device=$zone; via=
else
  route=$(ip -o route get "$client")
  device=$(echo "$route" | sed -n 's/.* dev \\([^ ]*\\).*/\\1/p')
  via=$(echo "$route" | sed -n 's/.* via .*/yes/p')
fi
networks=$(ip -o route show dev "$device" proto kernel scope link; ip -o -6 route show dev "$device" proto kernel)
networks=$(echo "$networks" | sed -n 's/^\\([0-9a-f.:]*\\/[0-9]*\\) .*/\\1/p' | sort -u | tr '\\n' ' ')
[ -z "$via" ] || networks="$networks$whole"
[ -n "$networks" ] || networks=$whole`;
