import { quote } from '../../../hosts/quote.ts';
import { readFacts } from '../../shellCheck.ts';
import type { Step } from '../../step.ts';
import type { Container } from './container.ts';

/** Docker says `arm` and `arm64`, an image `linux/arm64/v8`: the kind is compared, the variant is Docker's choice. */
const mismatch = (image: string) => `server=$(docker version --format '{{.Server.Arch}}')
image=$(docker image inspect --format '{{.Architecture}}' ${quote(image)})`;

export function imageStep({ image }: Container): Step {
  return {
    id: 'image',
    title: `Fetch the image ${image}`,
    changes: [
      `Image ${image} for the architecture of the host. Undo removes it, if it was not there before.`,
    ],
    needsRoot: true,
    needsReboot: false,
    reversible: true,
    async check(remote, signal) {
      const facts = await readFacts(
        remote,
        `command -v docker >/dev/null || exit 0
docker image inspect --format 'digest={{.Id}}
arch={{.Architecture}}' ${quote(image)} 2>/dev/null
docker version --format 'server={{.Server.Arch}}' 2>/dev/null
true`,
        signal,
      );
      const digest = facts.get('digest');
      const done = digest !== undefined && facts.get('arch') === facts.get('server');
      const evidence =
        digest === undefined
          ? facts.has('server')
            ? `${image} is not there.`
            : 'Docker does not answer yet.'
          : `${image} is there: ${facts.get('arch')}, ${digest}.`;
      return { done, evidence, saved: {} };
    },
    test: `{ ${mismatch(image)}; } 2>/dev/null
[ -n "$image" ] && [ "$image" = "$server" ]`,
    apply:
      () => `docker version --format '{{.Server.Version}}' > /dev/null || { echo 'Docker does not answer: set it up first (recipe Docker engine).' >&2; exit 1; }
docker pull ${quote(image)}
${mismatch(image)}
if [ "$image" != "$server" ]; then
  echo "The image is for $image, this host is $server." >&2
  docker image rm ${quote(image)}
  exit 1
fi
`,
    undo: () => `if command -v docker >/dev/null && docker image inspect ${quote(image)} >/dev/null 2>&1; then
  docker image rm ${quote(image)} || echo 'The image stays: another container uses it.'
fi
`,
  };
}
