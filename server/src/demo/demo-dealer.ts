/** Who a visitor becomes with 'Live demo'. */
export const DEMO_DEALER = { email: 'demo@perfume.example', name: 'Demo Dealer', emailVerified: true };
