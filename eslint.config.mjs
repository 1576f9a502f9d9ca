import tseslint from "typescript-eslint";

export default tseslint.config(
  { ignores: ["dist", "site", "node_modules", "test/fixtures", "coverage"] },
  {
    files: ["**/*.ts"],
    extends: [...tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "@typescript-eslint/no-explicit-any": "error",
      "@typescript-eslint/no-floating-promises": "error",
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/explicit-module-boundary-types": "error",
      "@typescript-eslint/switch-exhaustiveness-check": [
        "error",
        { considerDefaultExhaustiveForUnions: true },
      ],
      // Numbers in messages are what messages are for.
      "@typescript-eslint/restrict-template-expressions": [
        "error",
        { allowNumber: true, allowBoolean: true },
      ],
      // An async function without await satisfies an async contract (stores, hooks, tools).
      "@typescript-eslint/require-await": "off",
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      // Index signatures are read with brackets on purpose: the key is data, not a field.
      "@typescript-eslint/dot-notation": "off",
      // Objects here are made of closures and are taken apart freely; none of them uses `this`.
      "@typescript-eslint/unbound-method": "off",
      "max-lines": ["error", { max: 400 }],
      "no-console": "error",
    },
  },
  {
    files: ["test/**/*.ts", "fuzz/**/*.ts", "bench/**/*.ts", "examples/**/*.ts"],
    rules: {
      "@typescript-eslint/no-non-null-assertion": "off",
      "@typescript-eslint/explicit-module-boundary-types": "off",
      "no-console": "off",
    },
  },
);
