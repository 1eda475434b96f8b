import type { VirtualPi } from './virtualPi.ts';

/** A stand-in for Docker's own package repository. */
export interface DockerRepository {
  address: string;
  /** Of the key that signs it. */
  fingerprint: string;
}

/**
 * Makes a virtual Pi that serves images (it has Debian's packages of Docker at hand) serve a package repository laid out and
 * signed as Docker's is: Debian's Docker under the names of Docker's packages, its key made here.
 */
export async function serveDockerPackages(pi: VirtualPi): Promise<DockerRepository> {
  const fingerprint = (await pi.exec('sh', '-c', script)).trim().split('\n').at(-1) ?? '';
  return { address: `http://${pi.address}:8080/linux`, fingerprint };
}

const script = `set -eu
export DEBIAN_FRONTEND=noninteractive GNUPGHOME=/root/lab-keys
apt-get -q -y install --no-install-recommends gpg gpg-agent busybox > /dev/null
root=/srv/linux/debian
arch=$(dpkg --print-architecture)
index=$root/dists/trixie/stable/binary-$arch
mkdir -p $root/pool $index
# $1 becomes $2, and depends on what its neighbours are called here.
rename() {
  rm -rf /root/package
  dpkg-deb -R /var/cache/apt/archives/$1_*_$arch.deb /root/package
  sed -i -e "s/^Package: .*/Package: $2/" -e '/^\\(Breaks\\|Replaces\\|Provides\\|Conflicts\\|Recommends\\|Source\\):/d' \\
    -e '/^Depends:/s/containerd ([^)]*)/containerd.io/' -e '/^Depends:/s/containerd,/containerd.io,/' /root/package/DEBIAN/control
  echo "Conflicts: $1" >> /root/package/DEBIAN/control
  dpkg-deb -Zgzip -z1 -b /root/package $root/pool/$2.deb > /dev/null
}
rename docker.io docker-ce
rename docker-cli docker-ce-cli
rename containerd containerd.io
cd $root
for file in pool/*.deb; do
  dpkg-deb -f $file
  echo "Filename: $file"
  echo "Size: $(stat -c %s $file)"
  echo "SHA256: $(sha256sum $file | cut -d ' ' -f 1)"
  echo
done > $index/Packages
cd dists/trixie
{
  printf 'Origin: Lab\\nSuite: trixie\\nCodename: trixie\\nArchitectures: %s\\nComponents: stable\\nDate: %s\\nSHA256:\\n' $arch "$(date -Ru)"
  echo " $(sha256sum stable/binary-$arch/Packages | cut -d ' ' -f 1) $(stat -c %s stable/binary-$arch/Packages) stable/binary-$arch/Packages"
} > Release
mkdir -p -m 700 $GNUPGHOME
gpg -q --batch --passphrase '' --quick-gen-key 'Lab <lab@example.org>' rsa3072 sign never
gpg -q --batch --clearsign -o InRelease Release
gpg -q --armor --export > $root/gpg
systemd-run -q --unit lab-packages busybox httpd -f -p 8080 -h /srv
gpg --with-colons --list-keys | awk -F: '$1 == "fpr" { print $10; exit }'
`;
