/** What the framework calls, of an element, when it writes the stack; its own helper for this is not exported. */
export const CUSTOM_SYNTHESIS = Symbol.for('cdktf/customSynthesis');
