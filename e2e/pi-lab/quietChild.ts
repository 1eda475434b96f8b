import { openRemote } from '../../src-main/hosts/ssh/index.ts';
import { quietHost } from '../../src-main/provision/quietHost.ts';

// A process that keeps a host quiet until it is killed: node quietChild.ts ADDRESS KEY-TYPE FINGERPRINT LEASE; password in LAB_PASSWORD.
const [address = '', type = '', fingerprint = '', lease = ''] = process.argv.slice(2);
const signal = new AbortController().signal;
const host = { name: 'lab', address, port: 22, user: 'pi', auth: { method: 'password' as const } };
const access = { secret: async () => process.env.LAB_PASSWORD ?? null, trusted: { type, fingerprint } };
const remote = await openRemote(host, access, signal);
const { stopped } = await quietHost(remote, signal, { leaseSeconds: Number(lease) });
process.stdout.write(`${stopped.join(' ')}\n`);
