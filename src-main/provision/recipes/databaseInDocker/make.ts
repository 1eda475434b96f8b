import type { Inventory } from '../../../../src-shared/model/host.ts';
import type { Parameters } from './parameters.ts';

export type Product = Parameters['product'];

/** What one database differs in from the others. */
export interface Make {
  label: string;
  image: string;
  /** Of its data, in the container. */
  inside: string;
  /** Of the host → within the container. The first is the one that people know it by. */
  ports: readonly (readonly [host: number, inside: number])[];
  /** Further arguments of `docker`. */
  options: readonly string[];
  /** Architectures that dpkg knows and the image is built for. */
  architectures: readonly string[];
  server: Server;
  /** What the user should know beside what is done. */
  notes: readonly string[];
  /** What is to be said of it once it stands; may be empty. */
  result: string;
}

/** Shell text; `$password` is set where it is needed. */
export interface Server {
  /** Makes the container (`command`) and starts it with its password. */
  start(command: string): string;
  /** Ends with 0 when the server takes connections over TCP. */
  ready: string;
  /** Ends with 0 where `$password` opens it. */
  login: string;
  /** When it is ready: leaves nothing but a server that `$password` opens. */
  settle: string;
}

/** What a make is made of. */
export interface Plan extends Parameters {
  name: string;
  memoryBytes: number;
  host: Inventory;
}
