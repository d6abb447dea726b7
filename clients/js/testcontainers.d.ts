import { AbstractStartedContainer, GenericContainer, type StartedTestContainer } from 'testcontainers'
import type { Account, Options } from './index'

/**
 * A server in a container. The image must have the program `hashrange` on its PATH. The container is ready when its health
 * check succeeds.
 */
export class HashrangeContainer extends GenericContainer {
  /**
   * The default image is hashrange/hashrange with the version of this package. The files of `seed` are copied into the
   * container. Without `token`, the container has a random one.
   */
  constructor(image?: string, options?: Pick<Options, 'args' | 'region' | 'seed' | 'setup' | 'token'>)
  start(): Promise<StartedHashrangeContainer>
}

export class StartedHashrangeContainer extends AbstractStartedContainer {
  private constructor(container: StartedTestContainer)
  /** Where the server listens: "http://localhost:49153". */
  readonly endpoint: string
  /** The token of the control API. */
  readonly token: string
  /** The account that is seeded. */
  readonly seed: Account
  /** Returns an account whose tables are a copy of the seeded ones. Another `worker`, a number from 1, has another account. */
  account(worker?: number): Promise<Account>
  /** Returns the variables with which the presets and `hashrange ctl` find the server: Object.assign(process.env, container.environment()). */
  environment(): { HASHRANGE_ENDPOINT: string; HASHRANGE_TOKEN: string }
}
