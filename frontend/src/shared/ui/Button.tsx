import { clsx } from 'clsx'
import type { ComponentProps } from 'react'

const variants = {
  primary: 'bg-accent text-on-accent font-semibold hover:brightness-110 border-transparent',
  secondary: 'bg-raised text-text font-medium border-line hover:border-muted/60',
  danger: 'bg-card text-loss font-semibold border-loss/50 hover:border-loss',
  ghost: 'bg-transparent text-muted font-medium border-transparent hover:bg-raised hover:text-text',
} as const

const sizes = {
  /** 32 px high; 44 px on touch screens. */
  normal: 'h-8 px-3 gap-1.5 pointer-coarse:h-11',
  large: 'h-10 px-5 gap-2 text-sm pointer-coarse:h-11',
  /** As wide as its form. */
  wide: 'h-9 w-full px-3 gap-2 pointer-coarse:h-11',
  icon: 'size-8 justify-center pointer-coarse:size-11',
  /** With a word below the icon in one column, where no tooltip explains it. */
  named:
    'size-8 justify-center pointer-coarse:size-11 one:h-11! one:w-auto! one:min-w-11 one:flex-col one:gap-0.5 one:px-1',
} as const

interface ButtonProps extends ComponentProps<'button'> {
  readonly variant?: keyof typeof variants
  readonly size?: keyof typeof sizes
  /** The word of the size `named`; a part of the button's label. */
  readonly word?: string
  /** Announces the button as disabled and ignores presses. Unlike `disabled`, it keeps the focus. */
  readonly isBlocked?: boolean
}

export function Button(props: ButtonProps) {
  const {
    variant = 'secondary',
    size = 'normal',
    word,
    className,
    isBlocked,
    onClick,
    children,
    ...rest
  } = props
  return (
    <button
      type="button"
      aria-disabled={isBlocked}
      onClick={isBlocked ? undefined : onClick}
      className={clsx(
        'inline-flex shrink-0 cursor-pointer items-center justify-center rounded-control border whitespace-nowrap transition-colors duration-100 select-none',
        'disabled:cursor-not-allowed disabled:opacity-50 aria-disabled:cursor-not-allowed aria-disabled:opacity-50',
        variants[variant],
        sizes[size],
        className,
      )}
      {...rest}
    >
      {children}
      {word && (
        <span aria-hidden="true" className="hidden font-medium text-[10px] leading-3 one:block">
          {word}
        </span>
      )}
    </button>
  )
}
