import { Component, type ReactNode } from 'react';

type Props = {
  children: ReactNode;
  /** Shown in place of children that failed. The default is nothing, for parts that a page can do without. */
  fallback?: ReactNode;
  /** When this key changes, children that failed are rendered again. */
  resetKey?: string;
  onReset?: () => void;
};

/**
 * Keeps the rest of the page working when the children throw an error or their code cannot be loaded. The children are
 * rendered again when the browser is back online. It is a class because React supports error boundaries only as
 * classes.
 */
export class ErrorBoundary extends Component<Props, { hasError: boolean }> {
  override state = { hasError: false };

  static getDerivedStateFromError() {
    return { hasError: true };
  }

  override componentDidMount() {
    addEventListener('online', this.reset);
  }

  override componentWillUnmount() {
    removeEventListener('online', this.reset);
  }

  override componentDidUpdate(before: Props) {
    if (before.resetKey !== this.props.resetKey) this.reset();
  }

  reset = () => {
    if (!this.state.hasError) return;
    this.props.onReset?.();
    this.setState({ hasError: false });
  };

  override render() {
    return this.state.hasError ? this.props.fallback : this.props.children;
  }
}
