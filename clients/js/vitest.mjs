// The Vitest plugin: plugins: [hashrange({ setup: './tables.js' })]

import { fileURLToPath } from 'node:url'

const file = (name) => fileURLToPath(new URL(`./lib/${name}`, import.meta.url))

export function hashrange(options = {}) {
  return {
    name: 'hashrange',
    api: { options }, // read by the global setup
    config: () => ({
      test: {
        globalSetup: [file('vitest-global-setup.mjs')],
        setupFiles: [file('vitest-setup.mjs')],
        // Run anew for every test file, also where files share their modules.
        server: { deps: { inline: [/vitest-setup\.mjs$/] } },
      },
    }),
    // Where Vitest 4 imports a setup of TypeScript: as tests get packages, not as a browser does, which takes seconds for
    // an AWS SDK.
    configEnvironment: (name) => (name === '__vitest__' ? { resolve: { mainFields: [] } } : undefined),
  }
}
