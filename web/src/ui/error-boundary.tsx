import { Component, type ReactNode } from 'react';

type Props = {
  children: ReactNode;
  /** Nothing by default, for what a page can do without. */
  fallback?: ReactNode;
  /** A change of this key renders the children again. */
  resetKey?: string;
  onReset?: () => void;
};

/**
 * Keeps the page around it when its children throw or their code cannot be loaded. They are rendered again when the
 * browser is back online. React supports error boundaries only as classes.
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
