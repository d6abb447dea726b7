// The Vitest plugin: plugins: [hashrange({ setup: './tables.js' })]

import { fileURLToPath } from 'node:url'

const file = (name) => fileURLToPath(new URL(`./lib/${name}`, import.meta.url))

export function hashrange(options = {}) {
  return {
    name: 'hashrange',
    api: { options }, // the global setup reads the options from here
    config: () => ({
      test: {
        globalSetup: [file('vitest-global-setup.mjs')],
        setupFiles: [file('vitest-setup.mjs')],
        // Runs again for every test file, also if files share their modules.
        server: { deps: { inline: [/vitest-setup\.mjs$/] } },
      },
    }),
    // Vitest 4 imports a setup in TypeScript in this environment: packages are then imported as in tests, not as for a
    // browser, which takes seconds for an AWS SDK.
    configEnvironment: (name) => (name === '__vitest__' ? { resolve: { mainFields: [] } } : undefined),
  }
}
