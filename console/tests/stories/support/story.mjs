// Stories: named functions that are run one after another, and counted.

const stories = []

/** Adds a story to those that run.mjs runs. */
export function story(name, run) {
  stories.push({ name, run })
}

/** Runs the stories that were added, those with `filter` in their names. Returns how many passed and failed. */
export async function runStories(filter) {
  let passed = 0
  let failed = 0
  for (const { name, run } of stories) {
    if (filter && !name.includes(filter)) continue
    try {
      await run()
      ++passed
      console.log(`passed: ${name}`)
    } catch (error) {
      ++failed
      console.log(`FAILED: ${name}\n${error.stack ?? error}`)
    }
  }
  return { passed, failed }
}

export function countStories() {
  return stories.length
}
