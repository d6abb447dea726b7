/** The path of the program, or undefined if no installed package has it for this machine. */
export const binary: string | undefined

/** The npm package that has the program for this machine: "@hashrange/linux-x64". There is none for macOS and Windows. */
export const carrier: string

/** The path of the WebAssembly module, which serves where there is no program. */
export const module: string
