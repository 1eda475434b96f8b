import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core';

/** Deep raspberry: the one accent. 7 carries white text on light pages, 6 on dark ones, both above 5:1. */
const raspberry: MantineColorsTuple = [
  '#fdf1f5',
  '#f9dfe9',
  '#f0b9cf',
  '#e78fb2',
  '#e0709b',
  '#cf4c80',
  '#b32a62',
  '#991c50',
  '#811542',
  '#640d32',
];
const gray: MantineColorsTuple = [
  '#f7f7f8',
  '#eeeff1',
  '#e3e4e7',
  '#d2d4d8',
  '#b3b6bc',
  '#878b93',
  '#60646c',
  '#484b52',
  '#323439',
  '#1e1f23',
];
/** Mantine's order: 0 text, 2 dimmed text, 4 borders, 6 controls, 7 the page. */
const dark: MantineColorsTuple = [
  '#dcdde0',
  '#b9bbc0',
  '#9a9da5',
  '#6b6e76',
  '#3a3c42',
  '#2c2e33',
  '#222327',
  '#18191c',
  '#131416',
  '#0d0e0f',
];

/** Everything Mantine draws: one radius, two weights, a grid of 4 px, small type for dense pages. */
export const theme = createTheme({
  primaryColor: 'raspberry',
  primaryShade: { light: 7, dark: 6 },
  colors: { raspberry, gray, dark },
  fontFamily: "Inter, system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', sans-serif",
  fontFamilyMonospace: "'JetBrains Mono', ui-monospace, 'SF Mono', Consolas, 'DejaVu Sans Mono', monospace",
  defaultRadius: 'sm',
  radius: { xs: '4px', sm: '4px', md: '4px', lg: '4px', xl: '4px' },
  spacing: { xs: '4px', sm: '8px', md: '16px', lg: '24px', xl: '32px' },
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '20px' },
  fontWeights: { regular: '400', medium: '600', bold: '600' },
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '18px', lineHeight: '24px' },
      h2: { fontSize: '16px', lineHeight: '24px' },
      h3: { fontSize: '14px', lineHeight: '20px' },
    },
  },
  respectReducedMotion: true,
  cursorType: 'pointer',
  components: {
    Button: { defaultProps: { size: 'sm', fw: 600 } },
    InputWrapper: {
      // Help below the input: inputs side by side stay in line, however long it is.
      defaultProps: { inputWrapperOrder: ['label', 'input', 'error', 'description'] },
      vars: () => ({
        label: {},
        description: { '--input-description-size': '12px' },
        error: { '--input-error-size': '12px' },
      }),
    },
    // Mantine's lock of the page's scrolling adds a style element that the page's policy refuses.
    Modal: {
      defaultProps: {
        centered: true,
        lockScroll: false,
        overlayProps: { backgroundOpacity: 0.4 },
        closeButtonProps: { 'aria-label': 'Close' },
        // Its header is no banner of the page.
        attributes: { header: { role: 'presentation' } },
      },
      styles: { title: { fontWeight: 600 } },
    },
    Tooltip: {
      defaultProps: { openDelay: 300, withArrow: true, events: { hover: true, focus: true, touch: true } },
    },
    Popover: { defaultProps: { withArrow: true, shadow: 'md', returnFocus: true } },
    Table: { defaultProps: { verticalSpacing: 8, horizontalSpacing: 12, fz: 'md' } },
  },
});

/**
 * Okabe and Ito's eight colours, told apart by people with every kind of colour vision. `--chart-1` … `--chart-8` are
 * assigned to runs in this order; the last is the page's own ink, so that it stands out on both grounds.
 */
const okabeIto = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#f0e442'];

function chart(ink: string): Record<string, string> {
  return Object.fromEntries([...okabeIto, ink].map((color, index) => [`--chart-${index + 1}`, color]));
}

/** What both themes name alike and colour apart; text colours reach 4.5:1 on the page and on a panel. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    ...chart('#1e1f23'),
    '--mantine-color-placeholder': gray[6],
    '--mantine-color-dimmed': gray[6],
    '--mantine-color-error': '#b3261e',
    '--page': gray[0],
    '--panel': '#ffffff',
    '--line': gray[2],
    '--grid-line': gray[2],
    '--accent-text': raspberry[7],
    '--accent-soft': raspberry[0],
    '--good': '#1a6b45',
    '--good-soft': '#e5f3ec',
    '--warn': '#855200',
    '--warn-soft': '#fbf0da',
    '--bad': '#b3261e',
    '--bad-soft': '#fbe9e7',
    '--quiet': gray[7],
    '--quiet-soft': gray[1],
  },
  dark: {
    ...chart('#eeeff1'),
    '--mantine-color-placeholder': dark[2],
    '--mantine-color-dimmed': dark[2],
    '--mantine-color-error': '#ff8a80',
    '--page': dark[8],
    '--panel': dark[7],
    '--line': dark[5],
    '--grid-line': dark[5],
    '--mantine-color-raspberry-light': '#35192a',
    '--mantine-color-raspberry-light-hover': '#432035',
    '--mantine-color-raspberry-light-color': raspberry[3],
    '--accent-text': raspberry[3],
    '--accent-soft': '#35192a',
    '--good': '#6fcf9b',
    '--good-soft': '#14291f',
    '--warn': '#f0b95a',
    '--warn-soft': '#2e2411',
    '--bad': '#ff8a80',
    '--bad-soft': '#331a18',
    '--quiet': dark[1],
    '--quiet-soft': dark[6],
  },
});
